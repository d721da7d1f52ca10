import { hasFault } from '../fault-plan.ts'
import type { Fault } from '../faults.ts'
import type { VendorView, WorldProperty } from '../world/contract.ts'
import { type PricedRate, pricedRates, type Shop } from './price-rates.ts'
import type { RateKeyFacts } from './rate-key.ts'
import { invalidData, paymentDataMissing, productError, rateKeyGone, type Said } from './vendor-words.ts'

/** What a rate key leads to now. */
export type OpenRate = {
  readonly facts: RateKeyFacts
  readonly property: WorldProperty
  readonly view: VendorView
  readonly priced: PricedRate
  /** What it costs now, whatever it was offered at. */
  readonly netMinor: number
}

/** A raised price, for a caller that has to notice. */
const RAISE = 1.12

/** Opens the keys of one request, or refuses it as a whole: one bad key fails all. */
export function openRates(
  shop: Shop,
  rateKeys: readonly string[],
  step: 'CHECK_RATE' | 'BOOKING_CONFIRM',
  faults: readonly Fault[],
  now: number,
): OpenRate[] | Said {
  const open: OpenRate[] = []
  for (const rateKey of rateKeys) {
    const facts = hasFault(faults, 'expired') ? undefined : shop.keys.open(rateKey, now)
    if (facts === undefined) return rateKeyGone(rateKey)
    const found = hasFault(faults, 'sold_out') ? undefined : rateOf(shop, facts, now)
    if (found === undefined) {
      return productError(step, step === 'CHECK_RATE' ? 'Hotel not Available' : 'Insufficient allotment')
    }
    // The hotel wants a card it can charge, and nobody here has one.
    if (step === 'BOOKING_CONFIRM' && facts.payment === 'AT_HOTEL') return paymentDataMissing
    const raise = hasFault(faults, 'price_change') ? RAISE : 1
    open.push({ ...found, facts, netMinor: Math.round(found.priced.netMinor * raise) })
  }
  const [first] = open
  if (open.some(({ facts }) => facts.hotel !== first?.facts.hotel)) {
    return invalidData('All the rates must belong to the same hotel')
  }
  const dates = new Set(open.map(({ facts }) => `${facts.checkIn} ${facts.checkOut}`))
  if (dates.size > 1) return invalidData('All the rates must have the same dates')
  return open
}

function rateOf(shop: Shop, facts: RateKeyFacts, now: number) {
  const property = shop.world.byVendorId('hotelbeds', facts.hotel)
  const view = property && shop.world.view('hotelbeds', property)
  if (property === undefined || view === undefined) return undefined
  const { adults, childrenAges, rooms } = facts
  const party = { rooms, occupancy: { adults, childrenAges } }
  const priced = pricedRates(shop, property, view, facts, [party], now).find(
    (candidate) =>
      candidate.roomCode === facts.roomCode &&
      candidate.rate.plan === facts.plan &&
      candidate.payment === facts.payment,
  )
  return priced && { property, view, priced }
}
