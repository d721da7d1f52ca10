import { toMajor } from '../domain/money.ts'
import type { RankedProperty } from './rank.ts'

/**
 * Accommodation summaries as the bytes of a JSON list. Of each, the static members are there already and are copied; only
 * what this search found is written. Writing 500 of them as text was most of what a search cost.
 */
export function summariesJson(properties: readonly RankedProperty[], simulated: boolean): Buffer {
  const found = properties.map((property) => foundJson(property, simulated))
  let length = 2 + Math.max(0, properties.length - 1)
  for (const [at, { facts }] of properties.entries()) length += 2 + facts.json.length + (found[at]?.length ?? 0)
  const bytes = Buffer.allocUnsafe(length)
  let end = bytes.write('[', 0, 'latin1')
  for (const [at, { facts }] of properties.entries()) {
    end += bytes.write(at === 0 ? '{' : ',{', end, 'latin1')
    end += facts.json.copy(bytes, end)
    end += bytes.write(found[at] ?? '', end, 'latin1')
    end += bytes.write('}', end, 'latin1')
  }
  end += bytes.write(']', end, 'latin1')
  return end === length ? bytes : bytes.subarray(0, end)
}

/** One summary alone. */
export const summaryJson = (property: RankedProperty, simulated: boolean): string =>
  summariesJson([property], simulated).toString('utf8').slice(1, -1)

/** What the search adds, beginning with a comma. Plain ASCII, so that its length in bytes is its length. */
function foundJson(property: RankedProperty, simulated: boolean): string {
  const [best] = property.offers
  if (best === undefined) throw new Error('a found property has at least one offer')
  const offers = property.offers.map(
    (offer) =>
      `{"vendor_id":"${offer.vendorId}","vendors_property_id":${asciiJson(offer.vendorPropertyId)},"total_price":${toMajor(offer.total)}}`,
  )
  const until = best.freeCancellationUntil
  return (
    `,"public_price":${toMajor(best.publicTotal)},"total_price":${toMajor(best.total)},` +
    `"session_id":null,"vendor_id":"${best.vendorId}","vendors_property_id":${asciiJson(best.vendorPropertyId)},` +
    `"currency":"${best.total.currency}","converted":${best.converted},"distance_km":${Math.round(property.distanceKm * 100) / 100},` +
    `"board":"${best.board}","free_cancellation":${best.freeCancellation},` +
    `"free_cancellation_until":${until === undefined ? 'null' : asciiJson(until)},"rooms_left":${best.roomsLeft ?? 'null'},` +
    `"amenities":${amenitiesJson(property.facts.amenitySlugs)},"score":${property.score},"offers":[${offers.join(',')}],"simulated":${simulated}`
  )
}

const PLAIN = /^[\w.:+-]*$/

/** Ids of vendors are nearly always plain, and moments are; what is not is escaped down to ASCII. */
function asciiJson(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Slugs are plain words; there is nothing in them to escape. */
const amenitiesJson = (slugs: readonly string[]) => (slugs.length === 0 ? '[]' : `["${slugs.join('","')}"]`)
