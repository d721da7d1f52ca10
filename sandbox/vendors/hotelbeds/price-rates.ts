import { toDecimal } from '../../../src/domain/money/money.ts'
import type { Occupancy } from '../../../src/domain/stay.ts'
import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import type { StandInSettings } from '../../server/settings.ts'
import { listNights, todayIn } from '../../server/stay-dates.ts'
import type { Allotment, VendorView, VendorWorld, WorldProperty, WorldRate } from '../../world/contract.ts'
import { hash, hashShare, hashText } from '../../world/hash.ts'
import { convertMinor } from '../../world/prices/exchange.ts'
import { computeCancelSteps } from './cancel-steps.ts'
import { toBoardCode, toRoomCode } from './codes.ts'
import { commentId } from './comments.ts'
import { PAYMENTS, type Payment, type RateKeyFacts, type RateKeys } from './rate-key.ts'

/** Dependencies of all price responses. */
export type Shop = {
  readonly world: VendorWorld
  readonly allotment: Allotment
  readonly keys: RateKeys
  /** Billing currency of the account. */
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

/** Every rate with enough rooms available for its party. */
export function priceRates(
  shop: Shop,
  property: WorldProperty,
  view: VendorView,
  dates: Dates,
  parties: readonly PartyQuery[],
  now: number,
): PricedRate[] {
  const today = todayIn(property.place.timezone, now)
  const payments = takesPaymentAtHotel(property) ? PAYMENTS : WEB_ONLY
  const nights = listNights(dates)
  const left = new Map<number, number>()
  const priced: PricedRate[] = []
  for (const party of parties) {
    for (const rate of shop.world.rates(property, dates.checkIn, dates.checkOut, party.occupancy, today)) {
      const free = left.get(rate.room.number) ?? shop.allotment.left(property.key, rate.room, nights)
      left.set(rate.room.number, free)
      if (free < party.rooms) continue
      const standardNet = roomNet(rate, view.priceFactor, shop.currency)
      const roomCode = toRoomCode(rate.room)
      const packagingMode = drawPackaging(shop.settings, property, rate)
      const add = (payment: Payment, factor: number, packaging = false) => {
        const netMinor = Math.max(1, Math.round(standardNet * factor)) * party.rooms
        priced.push({ rate, party, payment, packaging, roomCode, left: free, netMinor })
      }
      if (packagingMode !== 'only')
        for (const payment of payments) add(payment, payment === 'AT_WEB' ? 1 : AT_HOTEL_FACTOR)
      if (packagingMode !== 'none') add('AT_WEB', packagingFactor(property), true)
    }
  }
  return priced
}

const WEB_ONLY: readonly Payment[] = ['AT_WEB']
/** Cheap enough that such rates come first unless they are filtered out. */
const AT_HOTEL_FACTOR = 0.8

/** Package rates are cheaper by a factor of each hotel, and sold only inside a package. */
const packagingFactor = (property: WorldProperty): number => 0.82 + 0.12 * hashShare(property.key, 58)

/**
 * Hotels that sell to packagers do so for most of their rates, and a fifth of these have no other price. If they are
 * 1.63 times the share of all hotels, the share of all rates is for packagers.
 */
function drawPackaging(settings: StandInSettings, property: WorldProperty, rate: WorldRate): 'none' | 'also' | 'only' {
  if (hashShare(property.key, 54) >= 1.63 * settings.packaging) return 'none'
  const draw = hashShare(hash(property.key, rate.room.number, hashText(rate.plan)), 55)
  return draw < 0.2 ? 'only' : draw < 0.75 ? 'also' : 'none'
}

/** One hotel in sixteen sells each rate a second time, payable at the property. */
const takesPaymentAtHotel = (property: WorldProperty): boolean => hash(property.key, 13) % 16 === 0

/** Net includes the taxes of the stay and excludes amounts that the hotel collects. */
function roomNet(rate: WorldRate, factor: number, currency: string): number {
  const nights = rate.nightlyMinor.reduce((sum, minor) => sum + minor, 0)
  return Math.max(1, convertMinor(Math.round((nights + rate.taxMinor) * factor), rate.currency, currency))
}

/** Some rates come from external suppliers and must be rechecked before booking. */
export const isRecheck = (property: WorldProperty, plan: string): boolean =>
  hash(property.key, hashText(plan), 11) % 5 === 0

const SELLING_FACTOR = 1.15

/** Amount to charge the guest: the price prescribed by the hotel, or net. */
export function computeCharge(
  { settings }: Shop,
  property: WorldProperty,
  rate: WorldRate,
  facts: RateKeyFacts,
): number {
  const isMandatory = hashShare(hash(property.key, hashText(rate.plan)), 56) < settings.hotelMandatory
  if (!isMandatory) return facts.netMinor
  return Math.round((facts.netMinor + facts.movedMinor) * SELLING_FACTOR) - facts.movedMinor
}

export function presentRate(shop: Shop, property: WorldProperty, priced: PricedRate, facts: RateKeyFacts, now: number) {
  const { rate, party } = priced
  const { netMinor } = facts
  const amount = (minor: number) => toDecimal({ minor, currency: shop.currency })
  const steps = computeCancelSteps(property, rate, facts.checkIn, netMinor, now, facts.worse === 'terms')
  const charge = computeCharge(shop, property, rate, facts)
  // External suppliers mostly hide their policies until the recheck.
  const hidesPolicies = facts.recheck && hash(property.key, 12) % 2 === 0
  const { childrenAges, adults } = party.occupancy
  const [boardCode, boardName] = toBoardCode(
    property,
    facts.worse === 'board' ? 'room_only' : rate.board,
    shop.settings,
  )
  const taxes = presentTaxes(shop, priced, facts)
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
    ...presentPromotions(rate),
    ...presentOffers(shop, priced, netMinor),
  }
}

/** Some have a remark with an obligation of the guest. */
function presentPromotions(rate: WorldRate) {
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

/** Included taxes in the account's currency; amounts that the hotel collects in its own, with the converted amount. */
function presentTaxes(shop: Shop, { rate, party }: PricedRate, { netMinor, movedMinor }: RateKeyFacts): WireTax[] {
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

function presentOffers(shop: Shop, { rate }: PricedRate, netMinor: number) {
  if (rate.nightlyBeforeMinor === undefined) return {}
  const sum = (minors: readonly number[]) => minors.reduce((total, minor) => total + minor, 0)
  const saved = Math.round(netMinor * (sum(rate.nightlyBeforeMinor) / sum(rate.nightlyMinor) - 1))
  const amount = toDecimal({ minor: -saved, currency: shop.currency })
  return saved > 0 ? { offers: [{ code: '9002', name: 'Early Booking discount', amount }] } : {}
}
