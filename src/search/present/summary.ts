import { isDeepStrictEqual } from 'node:util'
import { toMajor } from '../../domain/money/money.ts'
import type { Offer } from '../../domain/offer.ts'
import type { PropertySummary } from '../../domain/property/property-summary.ts'
import { CATEGORIES } from '../../domain/property/vocabulary.ts'
import type { SearchResult } from '../../domain/saved-search.ts'
import type { ReportedResult } from '../report-progress.ts'
import { isFromSameSource } from '../sell-offers.ts'

/** A JSON list between the texts `before` and `after`. `more` are further entries. */
export function summariesJson(
  results: readonly SearchResult[],
  simulated: boolean,
  before = '',
  after = '',
  seesNet = false,
  more = '',
): Buffer {
  const parts = results.flatMap((result, index) => [
    staticBytes(result.facts),
    Buffer.from(
      `,${JSON.stringify(presentFound(result, simulated, seesNet)).slice(1)}${index < results.length - 1 ? ',' : ''}`,
    ),
  ])
  return Buffer.concat([Buffer.from(`${before}[`), ...parts, Buffer.from(`${more}]${after}`)])
}

/** For responses with few properties. */
export const presentSummary = (result: SearchResult, simulated: boolean, seesNet = false) => ({
  ...presentStatic(result.facts),
  ...presentFound(result, simulated, seesNet),
})

type Present = (result: SearchResult, simulated: boolean, seesNet: boolean) => object
type WriteList = typeof summariesJson

/** An event of a stream: new properties in full, and of others only what changed. */
export function changesJson(
  results: readonly ReportedResult[],
  simulated: boolean,
  seesNet = false,
  { present, write }: { readonly present: Present; readonly write: WriteList } = SUMMARIES,
): Buffer {
  const added = results.flatMap(({ now, before }) => (before === undefined ? [now] : []))
  const changed = results.flatMap(({ now, before }) =>
    before === undefined
      ? []
      : JSON.stringify(presentChange(now, present(before, simulated, seesNet), present(now, simulated, seesNet))),
  )
  const end = added.length > 0 && changed.length > 0 ? ',' : ''
  return write(added, simulated, '{"availability":', '}', seesNet, `${end}${changed.join(',')}`)
}

const SUMMARIES = { present: presentSummary, write: summariesJson }

function presentChange({ propertyId }: SearchResult, before: object, now: object) {
  const old: Readonly<Record<string, unknown>> = { ...before }
  const changes = Object.entries({ ...EMPTIED, ...now }).filter(
    ([name, value]) => !isDeepStrictEqual(old[name] ?? null, value ?? null),
  )
  return { property_id: propertyId, ...Object.fromEntries(changes) }
}

/** Only this member may disappear. */
const EMPTIED = { free_cancellation: null }

/** Most of a response is this part, so each summary is encoded once for all searches. */
const encoded = new WeakMap<PropertySummary, Buffer>()

/** Members that do not depend on the search, without the closing brace. */
function staticBytes(summary: PropertySummary): Buffer {
  let bytes = encoded.get(summary)
  if (bytes === undefined) {
    bytes = Buffer.from(JSON.stringify(presentStatic(summary)).slice(0, -1))
    encoded.set(summary, bytes)
  }
  return bytes
}

function presentStatic(summary: PropertySummary) {
  const { amenities, cleanliness, comfort, condition, overall, service, count } = summary.guestRatings
  return {
    bye_line: summary.tagline,
    category: summary.category,
    category_code: CATEGORIES.orNull(summary.category),
    chain: summary.chain,
    description: summary.description,
    guest_ratings: { amenities, cleanliness, comfort, condition, overall, service, count },
    hero_images: presentSizes(summary.images[0]),
    images: summary.images.map((image) => ({ caption: image.caption, images: presentSizes(image) })),
    location: { lat: summary.location.lat, lon: summary.location.lon },
    name: summary.name,
    popular_amenities: summary.popularAmenities,
    property_id: summary.propertyId,
    review_count: summary.reviewCount,
    star_rating: summary.starRating,
    amenities: summary.amenitySlugs,
  }
}

const presentSizes = (image?: PropertySummary['images'][number]) => ({
  hi: image?.hi ?? '',
  lo: image?.lo ?? '',
  med: image?.med ?? '',
})

export function presentFound({ offers, distanceKm, score, facts }: SearchResult, simulated: boolean, seesNet = false) {
  const [best] = offers
  if (best === undefined) throw new Error('a found property has at least one offer')
  const free = offers.find(({ freeCancellation }) => freeCancellation !== undefined)
  return {
    public_price: toMajor(best.publicTotal),
    total_price: toMajor(best.total),
    ...(seesNet && { net_price: toMajor(best.net ?? best.total) }),
    session_id: null,
    vendor_id: best.vendorId,
    vendors_property_id: best.vendorPropertyId,
    currency: best.total.currency,
    converted: best.converted === true,
    distance_km: Math.round(distanceKm * 100) / 100,
    board: best.board,
    ...(free && {
      free_cancellation: { total_price: toMajor(free.total), until: free.freeCancellation?.until ?? null },
    }),
    free_cancellation_until: best.freeCancellation?.until ?? null,
    rooms_left: best.roomsLeft ?? null,
    fees_in_text: facts.vendorsWithFees?.includes(best.vendorId) === true,
    score,
    offers: offers.filter(isCheapestOfVendor).map(({ vendorId, vendorPropertyId, total, net }) => ({
      vendor_id: vendorId,
      vendors_property_id: vendorPropertyId,
      total_price: toMajor(total),
      ...(seesNet && { net_price: toMajor(net ?? total) }),
    })),
    simulated,
  }
}

/** Offers are in the order of their prices. */
const isCheapestOfVendor = (offer: Offer, index: number, offers: readonly Offer[]) =>
  offers.findIndex((other) => isFromSameSource(other, offer)) === index
