import { toMajor } from '../../domain/money/money.ts'
import type { PropertySummary } from '../../domain/property/property-summary.ts'
import { cheapestByBoard, cheapestFreeOffer } from '../offer-kinds.ts'
import type { RankedProperty } from '../rank.ts'

/** A JSON list between the texts `before` and `after`. */
export function summariesJson(
  properties: readonly RankedProperty[],
  simulated: boolean,
  before = '',
  after = '',
  seesNet = false,
): Buffer {
  const parts = properties.flatMap((property, index) => [
    staticBytes(property.facts),
    Buffer.from(
      `,${JSON.stringify(presentFound(property, simulated, seesNet)).slice(1)}${index < properties.length - 1 ? ',' : ''}`,
    ),
  ])
  return Buffer.concat([Buffer.from(`${before}[`), ...parts, Buffer.from(`]${after}`)])
}

/** For responses with few properties. */
export const presentSummary = (property: RankedProperty, simulated: boolean) => ({
  ...presentStatic(property.facts),
  ...presentFound(property, simulated),
})

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

function presentFound({ offers, distanceKm, score }: RankedProperty, simulated: boolean, seesNet = false) {
  const [best] = offers
  if (best === undefined) throw new Error('a found property has at least one offer')
  const free = cheapestFreeOffer(offers)
  const boards = cheapestByBoard(offers)
  return {
    public_price: toMajor(best.publicTotal),
    total_price: toMajor(best.total),
    ...(seesNet && { net_price: toMajor(best.net ?? best.total) }),
    session_id: null,
    vendor_id: best.vendorId,
    vendors_property_id: best.vendorPropertyId,
    currency: best.total.currency,
    converted: best.converted,
    distance_km: Math.round(distanceKm * 100) / 100,
    board: best.board,
    ...(free !== undefined && {
      free_cancellation: free && { total_price: toMajor(free.total), until: free.until ?? null },
    }),
    free_cancellation_until: best.freeCancellationUntil ?? null,
    ...(boards !== undefined && {
      boards: boards.map(({ board, total }) => ({ board, total_price: toMajor(total) })),
    }),
    rooms_left: best.roomsLeft ?? null,
    score,
    offers: offers.map(({ vendorId, vendorPropertyId, total, net }) => ({
      vendor_id: vendorId,
      vendors_property_id: vendorPropertyId,
      total_price: toMajor(total),
      ...(seesNet && { net_price: toMajor(net ?? total) }),
    })),
    simulated,
  }
}
