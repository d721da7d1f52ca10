import { toDecimal } from '../../../src/domain/money/money.ts'
import type { Occupancy } from '../../../src/domain/stay.ts'
import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import type { StandInSettings } from '../../server/settings.ts'
import { listNights, todayIn } from '../../server/stay-dates.ts'
import type { Allotment, VendorView, VendorWorld, WorldProperty, WorldRate } from '../../world/contract.ts'
import { hash, hashText, hashShare } from '../../world/hash.ts'
import { convertMinor } from '../../world/prices/exchange.ts'
import { cancelStepsOf } from './cancel-steps.ts'
import { BOARD_CODES, roomCodeOf } from './codes.ts'
import { commentId } from './comments.ts'
import { PAYMENTS, type Payment, type RateKeyFacts, type RateKeys } from './rate-key.ts'

/** What all answers about prices are made from. */
export type Shop = {
  readonly world: VendorWorld
  readonly allotment: Allotment
  readonly keys: RateKeys
  /** What the account is billed in. */
  readonly currency: string
  readonly settings: Readonly<StandInSettings>
}

export type Dates = { readonly checkIn: PlainDate; readonly checkOut: PlainDate }
export type PartyQuery = { readonly rooms: number; readonly occupancy: Occupancy }

/** One rate of one room type for one party, priced for all of the party's rooms. */
export type PricedRate = {
  readonly rate: WorldRate
  readonly party: PartyQuery
  readonly payment: Payment
  readonly packaging: boolean
  readonly roomCode: string
  readonly left: number
  readonly netMinor: number
}

/** Every rate that still has rooms enough for its party. */
export function pricedRates(
  shop: Shop,
  property: WorldProperty,
  view: VendorView,
  dates: Dates,
  parties: readonly PartyQuery[],
  now: number,
): PricedRate[] {
  const today = todayIn(property.place.timezone, now)
  const payments = takesPayment(property) ? PAYMENTS : WEB_ONLY
  const nights = listNights(dates)
  const left = new Map<number, number>()
  const priced: PricedRate[] = []
  for (const party of parties) {
    for (const rate of shop.world.rates(property, dates.checkIn, dates.checkOut, party.occupancy, today)) {
      const free = left.get(rate.room.number) ?? shop.allotment.left(property.key, rate.room, nights)
      left.set(rate.room.number, free)
      if (free < party.rooms) continue
      const usual = roomNet(rate, view.priceFactor, shop.currency)
      const roomCode = roomCodeOf(rate.room)
      const way = packagingOf(shop.settings, property, rate)
      const add = (payment: Payment, factor: number, packaging = false) => {
        const netMinor = Math.max(1, Math.round(usual * factor)) * party.rooms
        priced.push({ rate, party, payment, packaging, roomCode, left: free, netMinor })
      }
      if (way !== 'only') for (const payment of payments) add(payment, payment === 'AT_WEB' ? 1 : AT_HOTEL_FACTOR)
      if (way !== 'none') add('AT_WEB', packagingFactor(property), true)
    }
  }
  return priced
}

const WEB_ONLY: readonly Payment[] = ['AT_WEB']
/** So much cheaper that such rates come first wherever they are not filtered out. */
const AT_HOTEL_FACTOR = 0.8

/** Cheaper too, by what each hotel gives to packagers, and sold only inside a package. */
const packagingFactor = (property: WorldProperty): number => 0.82 + 0.12 * hashShare(property.key, 58)

/**
 * Hotels that sell to packagers do so for most of their rates, a fifth of which have no other price; the others never do. Where
 * they are 1.63 times the share, so many of all rates are for packagers.
 */
function packagingOf(settings: StandInSettings, property: WorldProperty, rate: WorldRate): 'none' | 'also' | 'only' {
  if (hashShare(property.key, 54) >= 1.63 * settings.packaging) return 'none'
  const draw = hashShare(hash(property.key, rate.room.number, hashText(rate.plan)), 55)
  return draw < 0.2 ? 'only' : draw < 0.75 ? 'also' : 'none'
}

/** One hotel in sixteen sells each rate a second time, to be paid at the property. */
const takesPayment = (property: WorldProperty): boolean => hash(property.key, 13) % 16 === 0

/** Net means: taxes of the stay inside, what the hotel collects outside. */
function roomNet(rate: WorldRate, factor: number, currency: string): number {
  const nights = rate.nightlyMinor.reduce((sum, minor) => sum + minor, 0)
  return Math.max(1, convertMinor(Math.round((nights + rate.taxMinor) * factor), rate.currency, currency))
}

/** Some rates come from outside and have to be asked about again before they can be booked. */
export const isRecheck = (property: WorldProperty, plan: string): boolean =>
  hash(property.key, hashText(plan), 11) % 5 === 0

const SELLING_FACTOR = 1.15

/** What the guest has to be charged for a rate: a price that the hotel prescribes, else net. */
export function chargeOf({ settings }: Shop, property: WorldProperty, rate: WorldRate, facts: RateKeyFacts): number {
  const isMandatory = hashShare(hash(property.key, hashText(rate.plan)), 56) < settings.hotelMandatory
  if (!isMandatory) return facts.netMinor
  return Math.round((facts.netMinor + facts.movedMinor) * SELLING_FACTOR) - facts.movedMinor
}

/** A rate as the wire has it. */
export function presentRate(shop: Shop, property: WorldProperty, priced: PricedRate, facts: RateKeyFacts, now: number) {
  const { rate, party } = priced
  const { netMinor } = facts
  const amount = (minor: number) => toDecimal({ minor, currency: shop.currency })
  const steps = cancelStepsOf(property, rate, facts.checkIn, netMinor, now, facts.worse === 'terms')
  const charge = chargeOf(shop, property, rate, facts)
  // Suppliers outside mostly keep their policies to themselves until they are asked.
  const hidesPolicies = facts.recheck && hash(property.key, 12) % 2 === 0
  const { childrenAges, adults } = party.occupancy
  const [boardCode, boardName] = BOARD_CODES[facts.worse === 'board' ? 'room_only' : rate.board]
  const taxes = taxesOf(shop, priced, facts)
  return {
    rateKey: shop.keys.seal(facts),
    rateClass: rate.refundable ? 'NOR' : 'NRF',
    rateType: facts.recheck ? 'RECHECK' : 'BOOKABLE',
    net: amount(netMinor),
    ...(charge !== netMinor && { sellingRate: amount(charge), hotelMandatory: true }),
    allotment: priced.left,
    paymentType: facts.payment,
    ...commentId(property, facts.hotel, shop.settings),
    packaging: facts.packaging,
    boardCode,
    boardName,
    ...(!hidesPolicies && {
      cancellationPolicies: steps.map((step) => ({ amount: amount(step.minor), from: step.from })),
    }),
    ...(taxes.length > 0 && { taxes: { taxes, allIncluded: taxes.every((tax) => tax.included) } }),
    rooms: party.rooms,
    adults,
    children: childrenAges.length,
    ...(childrenAges.length > 0 && { childrenAges: childrenAges.join(',') }),
    ...promotionsOf(rate),
    ...offersOf(shop, priced, netMinor),
  }
}

/** Some have a remark that says what the guest must bring or do. */
function promotionsOf(rate: WorldRate) {
  const promotions = [
    ...(rate.refundable ? [] : [{ code: '073', name: 'Non-refundable rate. No amendments permitted' }]),
    ...(rate.nightlyBeforeMinor === undefined
      ? []
      : [{ code: '042', name: 'Early booking', remark: 'Not valid together with <i>other</i> offers' }]),
  ]
  return promotions.length > 0 ? { promotions } : {}
}

type WireTax = {
  readonly included: boolean
  readonly amount: string
  readonly currency: string
  readonly type: string
  readonly subType?: string
  readonly clientAmount?: string
  readonly clientCurrency?: string
}

/** Included taxes in the account's currency; what the hotel collects in its own, with the converted amount beside it. */
function taxesOf(shop: Shop, { rate, party }: PricedRate, { netMinor, movedMinor }: RateKeyFacts): WireTax[] {
  const nights = rate.nightlyMinor.reduce((sum, minor) => sum + minor, 0)
  const inside = Math.round((netMinor * rate.taxMinor) / (nights + rate.taxMinor))
  const taxes: WireTax[] = []
  if (inside > 0) {
    const amount = toDecimal({ minor: inside, currency: shop.currency })
    taxes.push({ included: true, amount, currency: shop.currency, type: 'TAXESANDFEES' })
  }
  for (const [type, subType, minor] of [
    ['TAX', 'City Tax', rate.cityTaxMinor],
    ['FEE', 'Resort Fee', rate.resortFeeMinor],
  ] as const) {
    const local = minor * party.rooms
    const client = convertMinor(local, rate.currency, shop.currency)
    if (client === 0) continue
    taxes.push({
      included: false,
      amount: toDecimal({ minor: local, currency: rate.currency }),
      currency: rate.currency,
      type,
      subType,
      clientAmount: toDecimal({ minor: client, currency: shop.currency }),
      clientCurrency: shop.currency,
    })
  }
  if (movedMinor > 0) {
    const amount = toDecimal({ minor: movedMinor, currency: shop.currency })
    taxes.push({ included: false, amount, currency: shop.currency, type: 'FEE', subType: 'Service Fee' })
  }
  return taxes
}

function offersOf(shop: Shop, { rate }: PricedRate, netMinor: number) {
  if (rate.nightlyBeforeMinor === undefined) return {}
  const sum = (minors: readonly number[]) => minors.reduce((total, minor) => total + minor, 0)
  const saved = Math.round(netMinor * (sum(rate.nightlyBeforeMinor) / sum(rate.nightlyMinor) - 1))
  const amount = toDecimal({ minor: -saved, currency: shop.currency })
  return saved > 0 ? { offers: [{ code: '9002', name: 'Early Booking discount', amount }] } : {}
}
