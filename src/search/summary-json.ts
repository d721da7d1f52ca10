import { toMajor } from '../domain/money.ts'
import type { VendorOffer } from './merge-offers.ts'
import type { RankedProperty } from './rank.ts'

/**
 * Accommodation summaries as the bytes of a JSON list, and what stands around it. Of each, the static members are there already and are copied; only
 * what this search found is written. Writing 500 of them as text was most of what a search cost.
 */
export function summariesJson(
  properties: readonly RankedProperty[],
  simulated: boolean,
  before = '',
  after = '',
): Buffer {
  if (properties.length === 0) return Buffer.from(`${before}[]${after}`)
  const last = properties.length - 1
  const found: string[] = []
  const opening = `${before}[{`
  let length = Buffer.byteLength(opening) + Buffer.byteLength(after)
  for (const [at, property] of properties.entries()) {
    const text = foundJson(property, at === last ? `${simulated}}]` : `${simulated}},{`)
    found.push(text)
    length += property.facts.json.length + text.length
  }
  const bytes = Buffer.allocUnsafe(length)
  let end = bytes.write(opening, 0, 'utf8')
  for (const [at, { facts }] of properties.entries()) {
    bytes.set(facts.json, end)
    end += facts.json.length
    end += bytes.write(found[at] ?? '', end, 'latin1')
  }
  bytes.write(after, end, 'utf8')
  return bytes
}

/** One summary alone. */
export const summaryJson = (property: RankedProperty, simulated: boolean): string =>
  summariesJson([property], simulated).toString('utf8').slice(1, -1)

/** What the search adds, beginning with a comma, and `end`. Plain ASCII, so that its length in bytes is its length. */
function foundJson({ offers, distanceKm, score }: RankedProperty, end: string): string {
  const [best] = offers
  if (best === undefined) throw new Error('a found property has at least one offer')
  const until = best.freeCancellationUntil
  let list = ''
  for (const offer of offers) list += list === '' ? offerJson(offer) : `,${offerJson(offer)}`
  return (
    `,"public_price":${toMajor(best.publicTotal)},"total_price":${toMajor(best.total)},` +
    `"session_id":null,"vendor_id":"${best.vendorId}","vendors_property_id":${asciiJson(best.vendorPropertyId)},` +
    `"currency":"${best.total.currency}","converted":${best.converted},"distance_km":${Math.round(distanceKm * 100) / 100},` +
    `"board":"${best.board}","free_cancellation":${best.freeCancellation},` +
    `"free_cancellation_until":${until === undefined ? 'null' : asciiJson(until)},"rooms_left":${best.roomsLeft ?? 'null'},` +
    `"score":${score},"offers":[${list}],"simulated":${end}`
  )
}

const offerJson = ({ vendorId, vendorPropertyId, total }: VendorOffer) =>
  `{"vendor_id":"${vendorId}","vendors_property_id":${asciiJson(vendorPropertyId)},"total_price":${toMajor(total)}}`

const PLAIN = /^[\w.:+-]*$/

/** Ids of vendors are nearly always plain, and moments are; what is not is escaped down to ASCII. */
function asciiJson(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  return JSON.stringify(text).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
