import { toDecimal } from '../../domain/money.ts'
import type { Occupancy } from '../../domain/stay.ts'
import { addDays, daysBetween, type PlainDate } from '../../lib/plain-date.ts'
import { convertMinor } from '../rates.ts'
import type { Allotment, VendorView, World, WorldProperty, WorldRate } from '../world/contract.ts'
import { hash, hashText } from '../world/hash.ts'
import { cancelStepsOf } from './cancel-steps.ts'
import { BOARD_CODES, roomCodeOf } from './codes.ts'
import { PAYMENTS, type Payment, type RateKeyFacts, type RateKeys } from './rate-key.ts'
import { todayIn } from './today.ts'

/** What all answers about prices are made from. */
export type Shop = {
  readonly world: World
  readonly allotment: Allotment
  readonly keys: RateKeys
  /** What the account is billed in. */
  readonly currency: string
}

export type Dates = { readonly checkIn: PlainDate; readonly checkOut: PlainDate }
export type PartyQuery = { readonly rooms: number; readonly occupancy: Occupancy }

/** One rate of one room type for one party, priced for all of the party's rooms. */
export type PricedRate = {
  readonly rate: WorldRate
  readonly party: PartyQuery
  readonly payment: Payment
  readonly roomCode: string
  readonly left: number
  readonly netMinor: number
}

/** The nights of the stay last asked about; a search asks a hotel after the other about the same one. */
let lastNights: { readonly key: string; readonly nights: readonly PlainDate[] } = { key: '', nights: [] }

export function nightsOf({ checkIn, checkOut }: Dates): readonly PlainDate[] {
  const key = `${checkIn} ${checkOut}`
  if (lastNights.key !== key) {
    const nights = Array.from({ length: daysBetween(checkIn, checkOut) }, (_, night) => addDays(checkIn, night))
    lastNights = { key, nights }
  }
  return lastNights.nights
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
  const nights = nightsOf(dates)
  const left = new Map<number, number>()
  const priced: PricedRate[] = []
  for (const party of parties) {
    for (const rate of shop.world.rates(property, dates.checkIn, dates.checkOut, party.occupancy, today)) {
      const free = left.get(rate.room.number) ?? shop.allotment.left(property.key, rate.room, nights)
      left.set(rate.room.number, free)
      if (free < party.rooms) continue
      const usual = roomNet(rate, view.priceFactor, shop.currency) * party.rooms
      const roomCode = roomCodeOf(rate.room)
      for (const payment of payments) {
        const netMinor = payment === 'AT_WEB' ? usual : Math.max(1, Math.round(usual * AT_HOTEL_FACTOR))
        priced.push({ rate, party, payment, roomCode, left: free, netMinor })
      }
    }
  }
  return priced
}

const WEB_ONLY: readonly Payment[] = ['AT_WEB']
/** So much cheaper that such rates come first wherever they are not filtered out. */
const AT_HOTEL_FACTOR = 0.8

/** One hotel in sixteen sells each rate a second time, to be paid at its desk. */
const takesPayment = (property: WorldProperty): boolean => hash(property.key, 13) % 16 === 0

/** Net means: taxes of the stay inside, what the hotel collects outside. */
function roomNet(rate: WorldRate, factor: number, currency: string): number {
  const nights = rate.nightlyMinor.reduce((sum, minor) => sum + minor, 0)
  return Math.max(1, convertMinor(Math.round((nights + rate.taxMinor) * factor), rate.currency, currency))
}

/** Some rates come from outside and have to be asked about again before they can be booked. */
export const isRecheck = (property: WorldProperty, plan: string): boolean =>
  hash(property.key, hashText(plan), 11) % 5 === 0

/** A rate as the wire has it. */
export function presentRate(shop: Shop, property: WorldProperty, priced: PricedRate, facts: RateKeyFacts, now: number) {
  const { rate, party } = priced
  const { netMinor } = facts
  const amount = (minor: number) => toDecimal({ minor, currency: shop.currency })
  const steps = cancelStepsOf(property, rate, facts.checkIn, netMinor, now)
  // Suppliers outside mostly keep their policies to themselves until they are asked.
  const hidesPolicies = facts.recheck && hash(property.key, 12) % 2 === 0
  const { childrenAges, adults } = party.occupancy
  const [boardCode, boardName] = BOARD_CODES[rate.board]
  const taxes = taxesOf(shop, priced, netMinor)
  return {
    rateKey: shop.keys.seal(facts),
    rateClass: rate.refundable ? 'NOR' : 'NRF',
    rateType: facts.recheck ? 'RECHECK' : 'BOOKABLE',
    net: amount(netMinor),
    allotment: priced.left,
    paymentType: facts.payment,
    packaging: false,
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
    ...(!rate.refundable && {
      promotions: [{ code: '073', name: 'Non-refundable rate. No amendments permitted' }],
    }),
    ...offersOf(shop, priced, netMinor),
  }
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
export function taxesOf(shop: Shop, { rate, party }: PricedRate, netMinor: number): WireTax[] {
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
  return taxes
}

function offersOf(shop: Shop, { rate }: PricedRate, netMinor: number) {
  if (rate.nightlyBeforeMinor === undefined) return {}
  const sum = (minors: readonly number[]) => minors.reduce((total, minor) => total + minor, 0)
  const saved = Math.round(netMinor * (sum(rate.nightlyBeforeMinor) / sum(rate.nightlyMinor) - 1))
  const amount = toDecimal({ minor: -saved, currency: shop.currency })
  return saved > 0 ? { offers: [{ code: '9002', name: 'Early Booking discount', amount }] } : {}
}
