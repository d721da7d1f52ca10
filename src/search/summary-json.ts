import { toMajor } from '../domain/money.ts'
import type { RankedProperty } from './rank.ts'

/**
 * One Accommodation summary as JSON text: the ready-made static members, and beside them what this search found. Written
 * by hand, because writing 500 of them is most of what a search costs.
 */
export function summaryJson(property: RankedProperty, simulated: boolean): string {
  const [best] = property.offers
  if (best === undefined) throw new Error('a found property has at least one offer')
  const offers = property.offers.map(
    (offer) =>
      `{"vendor_id":"${offer.vendorId}","vendors_property_id":${JSON.stringify(offer.vendorPropertyId)},"total_price":${toMajor(offer.total)}}`,
  )
  return (
    `{${property.facts.json},"public_price":${toMajor(best.publicTotal)},"total_price":${toMajor(best.total)},` +
    `"session_id":null,"vendor_id":"${best.vendorId}","vendors_property_id":${JSON.stringify(best.vendorPropertyId)},` +
    `"currency":"${best.total.currency}","converted":${best.converted},"distance_km":${Math.round(property.distanceKm * 100) / 100},` +
    `"board":"${best.board}","free_cancellation":${best.freeCancellation},"rooms_left":${best.roomsLeft ?? 'null'},` +
    `"amenities":${amenitiesJson(property.facts.amenitySlugs)},"score":${property.score},"offers":[${offers.join(',')}],"simulated":${simulated}}`
  )
}

/** Slugs are plain words; there is nothing in them to escape. */
const amenitiesJson = (slugs: readonly string[]) => (slugs.length === 0 ? '[]' : `["${slugs.join('","')}"]`)
