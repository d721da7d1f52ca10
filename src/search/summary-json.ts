import { toMajor } from '../domain/money.ts'
import type { RankedProperty } from './rank.ts'

const COMMA = 0x2c
const OPEN = 0x7b
/** `,{` between two summaries. */
const BETWEEN = 2

/**
 * Accommodation summaries as the bytes of a JSON list, and what stands around it. Of each, the static members are there already
 * and are copied; only what this search found is written.
 */
export function summariesJson(
  properties: readonly RankedProperty[],
  simulated: boolean,
  before = '',
  after = '',
): Buffer {
  if (properties.length === 0) return Buffer.from(`${before}[]${after}`)
  const opening = `${before}[`
  const closing = `]${after}`
  const found = properties.map((property) => JSON.stringify(foundOf(property, simulated)))
  // For every summary one brace more than its parts have, and a comma but for the first.
  let length = Buffer.byteLength(opening) + Buffer.byteLength(closing) + BETWEEN * properties.length - 1
  for (const [at, { facts }] of properties.entries()) length += facts.json.length + Buffer.byteLength(found[at] ?? '')
  const bytes = Buffer.allocUnsafe(length)
  let end = bytes.write(opening)
  for (const [at, { facts }] of properties.entries()) {
    if (at > 0) bytes[end++] = COMMA
    bytes[end++] = OPEN
    bytes.set(facts.json, end)
    end += facts.json.length
    // What was found is an object of its own; the place of its brace is taken by the comma that joins the two.
    const joint = end
    end += bytes.write(found[at] ?? '', end)
    bytes[joint] = COMMA
  }
  bytes.write(closing, end)
  return bytes
}

/** One summary alone. */
export const summaryJson = (property: RankedProperty, simulated: boolean): string =>
  summariesJson([property], simulated).toString('utf8').slice(1, -1)

/** What the search adds to a property. */
function foundOf({ offers, distanceKm, score }: RankedProperty, simulated: boolean) {
  const [best] = offers
  if (best === undefined) throw new Error('a found property has at least one offer')
  return {
    public_price: toMajor(best.publicTotal),
    total_price: toMajor(best.total),
    session_id: null,
    vendor_id: best.vendorId,
    vendors_property_id: best.vendorPropertyId,
    currency: best.total.currency,
    converted: best.converted,
    distance_km: Math.round(distanceKm * 100) / 100,
    board: best.board,
    free_cancellation: best.freeCancellation,
    free_cancellation_until: best.freeCancellationUntil ?? null,
    rooms_left: best.roomsLeft ?? null,
    score,
    offers: offers.map(({ vendorId, vendorPropertyId, total }) => ({
      vendor_id: vendorId,
      vendors_property_id: vendorPropertyId,
      total_price: toMajor(total),
    })),
    simulated,
  }
}
