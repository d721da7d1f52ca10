import { hasGap, type SavedSearch } from '../../domain/saved-search.ts'
import { countNights } from '../../domain/stay.ts'
import { moment } from '../../http/present/moment.ts'
import type { AvailabilityPage } from '../list-availability.ts'
import type { RankedProperty } from '../rank.ts'
import { summariesJson } from './summary.ts'

/** Members of `data` besides `availability`, in the blocking response, the stream and the list. */
export function presentSearchHead(search: SavedSearch, warnings: readonly string[] = []) {
  const { terms } = search
  return {
    search_id: search.searchId,
    created_at: moment(search.createdAt),
    expires_at: moment(search.expiresAt),
    currency: terms.market.currency,
    rates_date: search.ratesDate ?? null,
    simulated: search.simulated,
    partial: search.vendors.some(hasGap),
    vendors: search.vendors.map(presentVendor),
    warnings,
    location: {
      id: terms.location.id,
      name: terms.location.name,
      type: terms.location.type,
      location: { ...terms.location.point },
      radius_km: terms.radiusKm,
      timezone: terms.location.timezone,
      ...(terms.location.propertyId !== undefined && { property_id: terms.location.propertyId }),
    },
    area: terms.area ?? null,
    check_in: terms.stay.checkIn,
    check_out: terms.stay.checkOut,
    nights: countNights(terms.stay),
    occupancies: terms.stay.occupancies.map(({ adults, childrenAges }) => ({ adults, children_ages: childrenAges })),
  }
}

export const presentVendor = ({ vendorId, status, properties, tookMs, reason }: SavedSearch['vendors'][number]) => ({
  vendor_id: vendorId,
  status,
  properties,
  took_ms: tookMs,
  ...(reason !== undefined && { reason }),
})

export function searchJson(
  search: SavedSearch,
  properties: readonly RankedProperty[],
  warnings: readonly string[],
  seesNet = false,
): Buffer {
  const head = JSON.stringify(presentSearchHead(search, warnings)).slice(1)
  return summariesJson(properties, search.simulated, '{"data":{"availability":', `,${head}}`, seesNet)
}

/** End of a stream: the ids in order replace the properties, which were sent before. */
export const doneJson = (
  search: SavedSearch,
  properties: readonly RankedProperty[],
  warnings: readonly string[],
): string =>
  JSON.stringify({
    data: { order: properties.map(({ propertyId }) => propertyId), ...presentSearchHead(search, warnings) },
  })

export function availabilityJson({ search, page, facets }: AvailabilityPage, seesNet = false): Buffer {
  const meta = JSON.stringify({ ...page.meta, facets: presentFacets(facets), search: presentSearchHead(search) })
  return summariesJson(page.data, search.simulated, '{"data":', `,"meta":${meta}}`, seesNet)
}

const presentFacets = ({ freeCancellation, ...facets }: AvailabilityPage['facets']) => ({
  ...facets,
  free_cancellation: freeCancellation,
})
