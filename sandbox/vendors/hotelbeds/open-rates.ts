import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { chooseWorsening } from '../../server/worse-terms.ts'
import type { VendorView, WorldProperty } from '../../world/contract.ts'
import { hashShare, hashText } from '../../world/hash.ts'
import { type PricedRate, priceRates, type Shop } from './price-rates.ts'
import type { RateKeyFacts } from './rate-key.ts'
import { invalidData, paymentDataMissing, productError, type Reply, rateKeyExpired } from './vendor-words.ts'

/** Current state of a rate key. */
export type OpenRate = {
  readonly facts: RateKeyFacts
  readonly property: WorldProperty
  readonly view: VendorView
  readonly priced: PricedRate
  /** Current price, which may differ from the offered one. */
  readonly netMinor: number
}

type Step = 'CHECK_RATE' | 'BOOKING_CONFIRM'

/** Price factor after a `price_change`. */
const RAISE_FACTOR = 1.12

/** Opens the keys of one request. One invalid key rejects the whole request. */
export function openRates(
  shop: Shop,
  rateKeys: readonly string[],
  step: Step,
  faults: readonly Fault[],
  now: number,
): OpenRate[] | Reply {
  const open: OpenRate[] = []
  for (const rateKey of rateKeys) {
    const facts = hasFault(faults, 'expired') ? undefined : shop.keys.open(rateKey, now)
    if (facts === undefined) return rateKeyExpired(rateKey)
    const found = hasFault(faults, 'sold_out') ? undefined : findRate(shop, facts, now)
    if (found === undefined) {
      return productError(step, step === 'CHECK_RATE' ? 'Hotel not Available' : 'Insufficient allotment')
    }
    // Paying at the property requires a card, and the stand-in accepts none.
    if (step === 'BOOKING_CONFIRM' && facts.payment === 'AT_HOTEL') return paymentDataMissing
    const worse = facts.worse ?? drawWorsening(shop, facts, step, faults)
    const raise = hasFault(faults, 'price_change') ? RAISE_FACTOR : 1
    const raised = Math.round(found.priced.netMinor * raise)
    const movedMinor = worse === 'fees' ? Math.round(raised / 20) : 0
    open.push({
      ...found,
      facts: worse === undefined ? facts : { ...facts, worse, movedMinor },
      netMinor: raised - movedMinor,
    })
  }
  const [first] = open
  if (open.some(({ facts }) => facts.hotel !== first?.facts.hotel)) {
    return invalidData('All the rates must belong to the same hotel')
  }
  const dates = new Set(open.map(({ facts }) => `${facts.checkIn} ${facts.checkOut}`))
  if (dates.size > 1) return invalidData('All the rates must have the same dates')
  return open
}

function drawWorsening({ settings }: Shop, facts: RateKeyFacts, step: Step, faults: readonly Fault[]) {
  const draw = hashShare(facts.hotel, hashText(`${facts.plan} ${facts.checkIn}`), 57)
  return step === 'CHECK_RATE' ? chooseWorsening(faults, settings, draw) : undefined
}

function findRate(shop: Shop, facts: RateKeyFacts, now: number) {
  const property = shop.world.byVendorId(facts.hotel)
  const view = property && shop.world.view(property)
  if (property === undefined || view === undefined) return undefined
  const { adults, childrenAges, rooms } = facts
  const party = { rooms, occupancy: { adults, childrenAges } }
  const priced = priceRates(shop, property, view, facts, [party], now).find(
    (candidate) =>
      candidate.roomCode === facts.roomCode &&
      candidate.rate.plan === facts.plan &&
      candidate.packaging === facts.packaging &&
      candidate.payment === facts.payment,
  )
  return priced && { property, view, priced }
}
