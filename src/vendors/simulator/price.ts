import { digitsOf } from '../../domain/currency.ts'
import { addMoney, type Money, shareOf, zero } from '../../domain/money.ts'
import type { Price } from '../../domain/offer.ts'
import { nightsOf, occupancyKey, type Stay } from '../../domain/stay.ts'
import { addDays, weekdayOf } from '../../lib/plain-date.ts'
import { houseOf } from './describe.ts'
import { share } from './draw.ts'
import type { RatePlan } from './rate-plans.ts'
import type { RoomKind } from './rooms.ts'
import type { Site } from './town.ts'
import type { SimulatorId } from './vendor-ids.ts'

/** Round figures, fixed for good: a simulated price must be the same tomorrow. What is not here is priced in euro. */
const PER_EURO: Readonly<Record<string, number>> = {
  EUR: 1,
  USD: 1.1,
  GBP: 0.85,
  CHF: 0.95,
  JPY: 160,
  AUD: 1.65,
  CAD: 1.5,
  NZD: 1.8,
  SEK: 11.2,
  NOK: 11.6,
  DKK: 7.46,
  PLN: 4.3,
  CZK: 25,
  HUF: 400,
  TRY: 40,
  AED: 4,
  INR: 92,
  CNY: 7.8,
  HKD: 8.5,
  SGD: 1.45,
  KRW: 1500,
  THB: 38,
  BRL: 6,
  MXN: 20,
  ZAR: 20,
  KWD: 0.34,
}
const TAX = 0.1
const CITY_TAX_MINOR = 210
/** How much `price_changed` adds. */
const RAISED = 1.12

export type Priced = {
  readonly vendorId: SimulatorId
  readonly site: Site
  readonly room: RoomKind
  readonly plan: RatePlan
  readonly stay: Stay
  readonly currency: string
  /** After a simulated change of price. */
  readonly isRaised: boolean
}

/** The whole stay, every room of the party; it follows from the question alone. */
export const priceOf = (question: Priced): Price => pricesOf(question)(question)

/** The prices of one house for one stay: what they have in common is worked out once. */
export function pricesOf(question: Omit<Priced, 'room' | 'plan' | 'isRaised'>) {
  const { vendorId, site, stay } = question
  const currency = currencyOf(question.currency)
  const seasons = seasonsOf(stay)
  const isOnSale = share('sale', site.propertyId, stay.checkIn) < 0.4
  const persons = stay.occupancies.reduce((sum, { adults }) => sum + adults, 0)
  const cityTax = euro(CITY_TAX_MINOR * persons * seasons.length, currency)
  const { nightMinor } = houseOf(site)
  const parties = stay.occupancies.map((party) => ({
    people: 0.72 + 0.14 * party.adults + 0.08 * party.childrenAges.length,
    ours: 0.96 + 0.08 * share('margin', vendorId, site.propertyId, occupancyKey(party)),
  }))

  return function priceFor({ room, plan, isRaised }: Pick<Priced, 'room' | 'plan' | 'isRaised'>): Price {
    const base = parties.reduce<Money>((sum, { people, ours }) => {
      const each = nightMinor * room.factor * plan.factor * people * ours * (isRaised ? RAISED : 1)
      const nights = seasons.reduce((minor, season) => minor + Math.round(each * season), 0)
      return addMoney(sum, euro(nights, currency))
    }, zero(currency))
    const tax = shareOf(base, TAX * 100, 100)
    const taxesFees = addMoney(tax, cityTax)
    const total = addMoney(base, taxesFees)
    return {
      total,
      base,
      taxesFees,
      fees: [
        { label: 'Taxes', amount: tax, paidAt: 'booking' },
        { label: 'City tax', amount: cityTax, paidAt: 'property' },
      ],
      dueAtProperty: cityTax,
      publicTotal: isOnSale ? shareOf(total, 115, 100) : total,
    }
  }
}

let latest: { readonly stay: string; readonly seasons: readonly number[] } | undefined

/** One factor a night. Whole towns are priced for the same nights, so the last answer is kept. */
function seasonsOf(stay: Stay): readonly number[] {
  const key = `${stay.checkIn} ${stay.checkOut}`
  if (latest?.stay !== key) {
    const seasons = Array.from({ length: nightsOf(stay) }, (_, night) => seasonOf(addDays(stay.checkIn, night)))
    latest = { stay: key, seasons }
  }
  return latest.seasons
}

/** Fridays and Saturdays cost more, and so does the summer. */
function seasonOf(date: string): number {
  const month = Number(date.slice(5, 7))
  return (weekdayOf(date) >= 5 ? 1.18 : 1) * (month >= 6 && month <= 8 ? 1.15 : 1)
}

const currencyOf = (asked: string) => (PER_EURO[asked] === undefined ? 'EUR' : asked)

function euro(cents: number, currency: string): Money {
  return { minor: Math.round((cents / 100) * (PER_EURO[currency] ?? 1) * 10 ** (digitsOf(currency) ?? 2)), currency }
}
