import { minorDigits } from '../../domain/money/currency.ts'
import { addMoney, type Money, scaleMoney, zero } from '../../domain/money/money.ts'
import type { Board, CancelTerms, Price } from '../../domain/offer.ts'
import { countNights, occupancyKey, type Stay } from '../../domain/stay.ts'
import { addDays } from '../../lib/time/plain-date.ts'
import { toInstant, zonedIso } from '../../lib/time/zoned-time.ts'
import type { RoomKind } from './models.ts'
import { draw, drawFraction, type SimulatorId, type Site } from './sites.ts'

/** Fixed, so that simulated prices never change. Other currencies are priced in euro. */
const PER_EURO: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ EUR: 1, USD: 1.1, GBP: 0.85, CHF: 0.95, JPY: 160, AUD: 1.65, CAD: 1.5, NZD: 1.8, SEK: 11.2, NOK: 11.6 },
    ...{ DKK: 7.46, PLN: 4.3, CZK: 25, HUF: 400, TRY: 40, AED: 4, INR: 92, CNY: 7.8, HKD: 8.5, SGD: 1.45 },
    ...{ KRW: 1500, THB: 38, BRL: 6, MXN: 20, ZAR: 20, KWD: 0.34 },
  }),
)
const TAX_PERCENT = 10
const CITY_TAX_CENTS = 210
/** Factor of `price_changed`. */
const RAISE_FACTOR = 1.12

type RatePlan = {
  readonly id: string
  readonly board: Board
  readonly isRefundable: boolean
  readonly factor: number
  readonly extras: readonly string[]
}

const SAVER: RatePlan = { id: 'saver', board: 'room_only', isRefundable: false, factor: 0.9, extras: [] }
const FLEX: RatePlan = { id: 'flex', board: 'room_only', isRefundable: true, factor: 1, extras: [] }
const BREAKFAST: RatePlan = {
  id: 'flex_breakfast',
  board: 'breakfast',
  isRefundable: true,
  factor: 1.13,
  extras: ['Free breakfast'],
}

/** Two rates per property; only the cheaper one may be non-refundable. */
export const listRatePlans = ({ propertyId }: Site): readonly RatePlan[] => [
  draw('plans', propertyId) % 2 === 0 ? SAVER : FLEX,
  BREAKFAST,
]

/** One rate of one room for a stay: all inputs of a price. */
export type Rate = {
  readonly vendorId: SimulatorId
  readonly site: Site
  readonly room: RoomKind
  readonly plan: RatePlan
  readonly stay: Stay
  readonly currency: string
  /** After a simulated change of price. */
  readonly isRaised: boolean
  /** After a simulated change of terms: same total, but taxes are due at the property and nothing is refundable. */
  readonly isWorse: boolean
}

/** Price of the whole stay, for all rooms. */
export function calculatePrice({
  vendorId,
  site,
  room,
  plan,
  stay,
  currency: requested,
  isRaised,
  isWorse,
}: Rate): Price {
  const currency = PER_EURO.has(requested) ? requested : 'EUR'
  const nights = countNights(stay)
  const base = stay.occupancies.reduce<Money>((sum, party) => {
    const people = 0.72 + 0.14 * party.adults + 0.08 * party.childrenAges.length
    const margin = 0.96 + 0.08 * drawFraction('margin', vendorId, site.propertyId, occupancyKey(party))
    const night = site.model.nightMinor * room.factor * plan.factor * people * margin * (isRaised ? RAISE_FACTOR : 1)
    return addMoney(sum, fromEuro(Math.round(night) * nights, currency))
  }, zero(currency))
  const adults = stay.occupancies.reduce((sum, party) => sum + party.adults, 0)
  const cityTax = fromEuro(CITY_TAX_CENTS * adults * nights, currency)
  const tax = scaleMoney(base, TAX_PERCENT, 100)
  const taxesFees = addMoney(tax, cityTax)
  const total = addMoney(base, taxesFees)
  const isOnSale = drawFraction('sale', site.propertyId, stay.checkIn) < 0.4
  return {
    total,
    base,
    taxesFees,
    fees: [
      { label: 'Taxes', amount: tax, paidAt: isWorse ? 'property' : 'booking' },
      { label: 'City tax', amount: cityTax, paidAt: 'property' },
    ],
    dueAtProperty: isWorse ? taxesFees : cityTax,
    publicTotal: isOnSale ? scaleMoney(total, 115, 100) : total,
  }
}

const fromEuro = (cents: number, currency: string): Money => ({
  minor: Math.round((cents / 100) * (PER_EURO.get(currency) ?? 1) * 10 ** (minorDigits(currency) ?? 2)),
  currency,
})

/** Two days before check-in, at 18:00 in the property's time zone. */
export const firstPenaltyTime = ({ checkIn }: Stay, timezone: string): number =>
  toInstant(addDays(checkIn, -2), '18:00', timezone)

/** Late cancellation costs the first night; a non-refundable rate costs everything from the start. */
export const lateFee = (rate: Rate, total: Money): Money =>
  isRefundable(rate) ? scaleMoney(total, 1, Math.max(1, countNights(rate.stay))) : total

export const isRefundable = ({ plan, isWorse }: Rate): boolean => plan.isRefundable && !isWorse

export const buildCancelTerms = (rate: Rate, total: Money, timezone: string, now: number): CancelTerms => ({
  penalties: [
    {
      from: zonedIso(isRefundable(rate) ? firstPenaltyTime(rate.stay, timezone) : now, timezone),
      amount: lateFee(rate, total),
    },
  ],
  refundable: isRefundable(rate),
})
