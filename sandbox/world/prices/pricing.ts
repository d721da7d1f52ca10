import type { Occupancy } from '../../../src/domain/stay.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import type { PlainDate } from '../../../src/lib/time/plain-date.ts'
import type { Place, PropertyKind, WorldProperty, WorldRoom } from '../contract.ts'
import { ASPECT, hashShare } from '../hash.ts'
import { findCountry } from '../places/countries.ts'
import { findDestination, type Setting } from '../places/destinations.ts'

/** Relative to a three-star property. */
const STAR_PRICE = [0.4, 0.46, 0.66, 1, 1.62, 3.35] as const
const KIND_PRICE: Record<PropertyKind, number> = {
  hotel: 1,
  apartment: 1.05,
  hostel: 0.3,
  guesthouse: 0.78,
  resort: 1.22,
}

type PricedProperty = Pick<WorldProperty, 'key' | 'place' | 'kind' | 'stars'>

/** Demand in a place relative to an unknown village. */
export type Market = { readonly demand: number }

/** Prices of a suburb follow the strongest town nearby; the effect decreases with distance. */
export function estimateMarket(place: Place, neighbours: readonly Place[]): Market {
  let demand = estimateDemand(place)
  for (const neighbour of neighbours) {
    const km = distanceKm(place.point, neighbour.point)
    if (km < MARKET_KM) demand = Math.max(demand, estimateDemand(neighbour) * (1 - 0.25 * (km / MARKET_KM)))
  }
  return { demand }
}
export const MARKET_KM = 14

function estimateDemand(place: Place): number {
  const famous = findDestination(place.sourceId)
  const people = Math.max(place.population, famous?.guestPopulation ?? 0, 500)
  return (0.82 + 0.17 * Math.min(4, Math.max(0, Math.log10(people) - 3))) * (famous?.boost ?? 1)
}

/** Average price of a night in the cheapest room for two, in dollars. */
export function basePrice({ key, place, kind, stars }: PricedProperty, market: Market): number {
  const taste = 0.78 + 0.5 * hashShare(key, ASPECT.price)
  return findCountry(place.countryCode).level * market.demand * starPrice(stars) * KIND_PRICE[kind] * taste
}

function starPrice(stars: number): number {
  const below = Math.max(0, Math.min(5, Math.floor(stars)))
  const low = STAR_PRICE[below] ?? 1
  return low + (stars - below) * ((STAR_PRICE[below + 1] ?? low) - low)
}

/** By month, for the northern hemisphere: beaches are busy in summer, ski resorts have two seasons. */
const SEASONS: Record<Setting, readonly number[]> = {
  city: [0.82, 0.84, 0.94, 1.03, 1.12, 1.14, 1.06, 1.0, 1.14, 1.1, 0.92, 1.0],
  beach: [0.66, 0.68, 0.76, 0.88, 1.0, 1.22, 1.48, 1.55, 1.18, 0.9, 0.7, 0.76],
  mountain: [1.3, 1.42, 1.22, 0.86, 0.78, 0.96, 1.16, 1.2, 0.96, 0.8, 0.78, 1.4],
  village: [0.82, 0.82, 0.9, 1.0, 1.08, 1.14, 1.2, 1.22, 1.1, 1.0, 0.86, 0.96],
}
/** Near the equator, high season is the northern winter. */
const TROPICS = [1.2, 1.18, 1.1, 0.98, 0.86, 0.84, 0.98, 1.0, 0.84, 0.9, 1.02, 1.34]

/** Season of a day, interpolated between months; New Year's Eve is expensive everywhere. */
export function seasonFactor(setting: Setting, lat: number, date: PlainDate): number {
  const month = Number(date.slice(5, 7)) - 1
  const day = Number(date.slice(8, 10))
  const months = Math.abs(lat) < 18 ? TROPICS : SEASONS[setting]
  const shift = lat < -18 ? 6 : 0
  const here = months[(month + shift) % 12] ?? 1
  const next = months[(month + shift + (day < 15 ? 11 : 1)) % 12] ?? 1
  const distance = Math.abs(day - 15) / 31
  const holidays = (month === 11 && day >= 28) || (month === 0 && day === 1) ? 1.3 : 1
  return (here * (1 - distance) + next * distance) * holidays
}

/** Leisure guests fill resorts at weekends; business guests fill town hotels during the week. */
export function weekdayFactor(setting: Setting, weekday: number): number {
  const weekend = weekday === 5 || weekday === 6
  if (setting === 'city') return weekend ? 1.08 : weekday === 0 ? 0.9 : weekday === 2 || weekday === 3 ? 1.04 : 1
  return weekend ? 1.16 : weekday === 0 ? 0.96 : 0.98
}

/** Early bookings are cheaper, the last week is more expensive, and the last two days are discounted. */
export function leadFactor(leadDays: number): number {
  if (leadDays <= 1) return 0.96
  if (leadDays <= 7) return 1.1
  if (leadDays <= 21) return 1.03
  return leadDays > 120 ? 0.93 : leadDays > 60 ? 0.96 : 1
}

export const stayFactor = (nights: number): number =>
  nights >= 14 ? 0.86 : nights >= 7 ? 0.92 : nights >= 4 ? 0.97 : 1

/** The room price is for two. A single guest pays slightly less; each additional guest pays for bed and linen. */
export function partyFactor(room: WorldRoom, { adults, childrenAges }: Occupancy): number {
  const included = Math.min(2, room.adultsMax)
  if (included === 1) return 1
  const single = adults === 1 && childrenAges.length === 0 ? 0.92 : 1
  const extraAdults = Math.max(0, adults - included)
  const roomLeft = Math.max(0, included - adults)
  const paying = [...childrenAges].sort((a, b) => b - a).slice(roomLeft)
  const extraChildren = paying.reduce((sum, age) => sum + (age < 3 ? 0 : age < 12 ? 0.1 : 0.16), 0)
  return single * (1 + extraAdults * 0.2 + extraChildren)
}

/** Adults and children must each be within the limits; infants in a cot are not counted. */
export function fitsRoom(room: WorldRoom, { adults, childrenAges }: Occupancy): boolean {
  const children = childrenAges.filter((age) => age >= 2).length
  if (adults < 1 || adults > room.adultsMax) return false
  return childrenAges.length <= room.childrenMax + (room.adultsMax - adults) && adults + children <= room.sleeps
}
