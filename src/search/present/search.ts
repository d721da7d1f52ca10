import type { Conditions } from '../../domain/offer.ts'
import { hasGap, type SavedSearch, type SearchResult } from '../../domain/saved-search.ts'
import { countNights } from '../../domain/stay.ts'
import { moment } from '../../http/present/moment.ts'
import { localName } from '../../locations/present.ts'
import type { AvailabilityPage } from '../list-availability.ts'
import { cardsJson } from './card.ts'
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
      name: localName(terms.location, terms.market.language),
      type: terms.location.type,
      location: { ...terms.location.point },
      radius_km: terms.radiusKm,
      timezone: terms.location.timezone,
      ...(terms.location.propertyId !== undefined && { property_id: terms.location.propertyId }),
    },
    area: terms.area ?? null,
    conditions: presentConditions(terms.conditions),
    check_in: terms.stay.checkIn,
    check_out: terms.stay.checkOut,
    nights: countNights(terms.stay),
    occupancies: terms.stay.occupancies.map(({ adults, childrenAges }) => ({ adults, children_ages: childrenAges })),
  }
}

const presentConditions = ({ freeCancellation, boards }: Conditions = {}) => ({
  ...(freeCancellation && { free_cancellation: freeCancellation }),
  ...(boards && { boards }),
})

export const presentVendor = ({ vendorId, status, properties, tookMs, reason }: SavedSearch['vendors'][number]) => ({
  vendor_id: vendorId,
  status,
  properties,
  took_ms: tookMs,
  ...(reason !== undefined && { reason }),
})

/** Whole result, or one page of it with its `meta`. */
export type ShownSearch = {
  readonly search: SavedSearch
  readonly results: readonly SearchResult[]
  readonly warnings: readonly string[]
  readonly meta?: object
  /** Properties as cards. */
  readonly asCards?: boolean
}

export function searchJson({ search, results, warnings, meta, asCards }: ShownSearch, seesNet = false): Buffer {
  const head = JSON.stringify(presentSearchHead(search, warnings)).slice(1)
  const end = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`
  const write = asCards === true ? cardsJson : summariesJson
  return write(results, search.simulated, '{"data":{"availability":', `,${head}${end}}`, seesNet)
}

/** End of a stream: the ids in order replace the properties, which were sent before. */
export const doneJson = ({ search, results, warnings, meta }: ShownSearch): string =>
  JSON.stringify({
    data: { order: results.map(({ propertyId }) => propertyId), ...presentSearchHead(search, warnings) },
    ...(meta && { meta }),
  })

export function availabilityJson({ search, page, facets }: AvailabilityPage, seesNet = false, asCards = false): Buffer {
  const meta = JSON.stringify({ ...page.meta, facets, search: presentSearchHead(search) })
  const write = asCards ? cardsJson : summariesJson
  return write(page.data, search.simulated, '{"data":', `,"meta":${meta}}`, seesNet)
}
