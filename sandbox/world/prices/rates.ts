import type { Board } from '../../../src/domain/offer.ts'
import type { Occupancy } from '../../../src/domain/stay.ts'
import { addDays, daysBetween, getWeekday, type PlainDate } from '../../../src/lib/time/plain-date.ts'
import type { WorldProperty, WorldRate, WorldRoom } from '../contract.ts'
import { ASPECT, hash, hashShare, hashText, itemAt } from '../hash.ts'
import { type Country, findCountry } from '../places/countries.ts'
import type { Setting } from '../places/destinations.ts'
import { minorPerDollar, roundPrice } from './exchange.ts'
import {
  basePrice,
  fitsRoom,
  leadFactor,
  type Market,
  partyFactor,
  seasonFactor,
  stayFactor,
  weekdayFactor,
} from './pricing.ts'

type Plan = {
  readonly name: string
  readonly board: Board
  readonly refundable: boolean
  readonly factor: number
  /** Dollars per adult and night at a price level of 100. */
  readonly mealDollars: number
}

const PLANS = {
  saver: { name: 'saver', board: 'room_only', refundable: false, factor: 0.88, mealDollars: 0 },
  flex: { name: 'flex', board: 'room_only', refundable: true, factor: 1, mealDollars: 0 },
  breakfastSaver: { name: 'breakfast_saver', board: 'breakfast', refundable: false, factor: 0.88, mealDollars: 13 },
  breakfast: { name: 'breakfast', board: 'breakfast', refundable: true, factor: 1, mealDollars: 13 },
  halfBoard: { name: 'half_board', board: 'half_board', refundable: true, factor: 1, mealDollars: 38 },
  fullBoard: { name: 'full_board', board: 'full_board', refundable: true, factor: 1, mealDollars: 56 },
  allInclusive: { name: 'all_inclusive', board: 'all_inclusive', refundable: true, factor: 1, mealDollars: 74 },
  kitchenSaver: { name: 'saver', board: 'self_catering', refundable: false, factor: 0.88, mealDollars: 0 },
  kitchen: { name: 'flex', board: 'self_catering', refundable: true, factor: 1, mealDollars: 0 },
} as const satisfies Record<string, Plan>

/** A stay that ends before it starts or lasts for months has no rates. */
const NIGHTS_MAX = 60

type Dates = { readonly checkIn: PlainDate; readonly checkOut: PlainDate; readonly today: PlainDate }

/** Values shared by all rates of a property in one search. */
type QuoteContext = {
  readonly property: WorldProperty
  readonly country: Country
  readonly occupancy: Occupancy
  /** Minor units per night, for the cheapest room and two guests. */
  readonly dayPrices: readonly number[]
  readonly mealUnit: number
  readonly promotionSeed: number | undefined
}

/** Effect of the location on prices. */
export type Surroundings = { readonly setting: Setting; readonly market: Market }

export function quoteRates(
  property: WorldProperty,
  surroundings: Surroundings,
  dates: Dates,
  occupancy: Occupancy,
): WorldRate[] {
  const nights = describeNights(dates)
  if (nights.length === 0) return []
  const country = findCountry(property.place.countryCode)
  const unit = minorPerDollar(property.currency)
  const context: QuoteContext = {
    property,
    country,
    occupancy,
    dayPrices: computeDayPrices(property, surroundings, nights, daysBetween(dates.today, dates.checkIn)).map(
      (price) => price * unit,
    ),
    mealUnit: (country.level / 100) * mealsEaten(occupancy) * unit,
    promotionSeed: promotionSeed(property.key, dates.checkIn),
  }
  const plans = choosePlans(property)
  const rates: WorldRate[] = []
  for (const room of property.rooms) {
    if (!fitsRoom(room, occupancy)) continue
    for (const plan of plans) rates.push(quoteRate(context, room, plan))
  }
  return rates
}

type Night = { readonly date: PlainDate; readonly weekday: number; readonly seed: number }
let lastNights: { readonly slot: string; readonly nights: readonly Night[] } = { slot: '', nights: [] }

/** Cached, because a search asks for the same nights in a thousand properties. */
function describeNights({ checkIn, checkOut }: Dates): readonly Night[] {
  const slot = `${checkIn} ${checkOut}`
  if (slot !== lastNights.slot) {
    const count = daysBetween(checkIn, checkOut)
    const dates = count >= 1 && count <= NIGHTS_MAX ? Array.from({ length: count }, (_, i) => addDays(checkIn, i)) : []
    lastNights = { slot, nights: dates.map((date) => ({ date, weekday: getWeekday(date), seed: hashText(date) })) }
  }
  return lastNights.nights
}

function computeDayPrices(
  property: WorldProperty,
  surroundings: Surroundings,
  nights: readonly Night[],
  leadDays: number,
): number[] {
  const { setting, market } = surroundings
  const fixed = basePrice(property, market) * leadFactor(leadDays) * stayFactor(nights.length)
  return nights.map(({ date, weekday, seed }) => {
    const variation = 0.95 + 0.1 * hashShare(property.key, ASPECT.night, seed)
    return fixed * seasonFactor(setting, property.place.point.lat, date) * weekdayFactor(setting, weekday) * variation
  })
}

function quoteRate(
  { property, country, occupancy, dayPrices, mealUnit, promotionSeed }: QuoteContext,
  room: WorldRoom,
  plan: Plan,
): WorldRate {
  const factor = room.factor * partyFactor(room, occupancy) * plan.factor
  const before = dayPrices.map((price) => roundPrice(price * factor + plan.mealDollars * mealUnit))
  const discount = promotionSeed === undefined ? 0 : pickDiscount(promotionSeed, room.number, plan.name)
  const nightlyMinor = discount === 0 ? before : before.map((minor) => Math.max(1, Math.round(minor * (1 - discount))))
  const base = nightlyMinor.reduce((sum, minor) => sum + minor, 0)
  const { policies } = property
  return {
    room,
    plan: plan.name,
    board: plan.board,
    refundable: plan.refundable && policies.freeCancelHours > 0,
    freeCancelHours: plan.refundable ? policies.freeCancelHours : 0,
    currency: property.currency,
    nightlyMinor,
    ...(discount === 0 ? undefined : { nightlyBeforeMinor: before }),
    taxMinor: Math.round((base * country.taxPercent) / 100),
    cityTaxMinor: policies.cityTaxPerPersonNightMinor * occupancy.adults * nightlyMinor.length,
    resortFeeMinor: policies.resortFeePerNightMinor * nightlyMinor.length,
  }
}

const mealsEaten = ({ adults, childrenAges }: Occupancy) =>
  adults + childrenAges.reduce((sum, age) => sum + (age < 4 ? 0 : 0.5), 0)

/** Two to four rate plans, depending on the meals the property can serve. */
function choosePlans({ key, kind, amenities }: WorldProperty): readonly Plan[] {
  const draw = hash(key, ASPECT.policies, 7)
  if (kind === 'apartment') return [PLANS.kitchenSaver, PLANS.kitchen]
  if (kind === 'hostel')
    return amenities.includes('breakfast') ? [PLANS.flex, PLANS.breakfast] : [PLANS.saver, PLANS.flex]
  if (kind === 'resort') {
    if (draw % 3 === 0) return [PLANS.breakfast, PLANS.halfBoard, PLANS.fullBoard, PLANS.allInclusive]
    return [PLANS.saver, PLANS.breakfast, PLANS.halfBoard, ...(draw % 3 === 1 ? [PLANS.allInclusive] : [])]
  }
  if (!amenities.includes('breakfast')) return [PLANS.saver, PLANS.flex]
  if (kind === 'guesthouse' && draw % 2 === 0) return [PLANS.breakfastSaver, PLANS.breakfast]
  const dinner = amenities.includes('restaurant') && draw % 3 === 0
  return [PLANS.saver, PLANS.flex, PLANS.breakfast, ...(dinner ? [PLANS.halfBoard] : [])]
}

/** One property in five has a promotion in a given month, for most of its rates. */
function promotionSeed(key: number, checkIn: PlainDate): number | undefined {
  const draw = hash(key, ASPECT.promotion, hashText(checkIn.slice(0, 7)))
  return draw % 5 === 0 ? hash(draw) : undefined
}

const DISCOUNTS = [0, 0, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25]
const pickDiscount = (seed: number, roomNumber: number, plan: string): number =>
  itemAt(DISCOUNTS, hash(seed, roomNumber, plan.length))
