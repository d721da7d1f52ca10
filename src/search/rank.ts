import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { SearchResult } from '../domain/saved-search.ts'
import { countNights, type Stay } from '../domain/stay.ts'

const WEIGHTS = { price: 0.3, rating: 0.3, distance: 0.2, stars: 0.15, freedom: 0.05 } as const

/** Usual price of a room per night in US dollars, by stars. The first also applies to unrated properties. */
const USUAL_DOLLARS = [60, 80, 110, 170, 340]

/** Usual price of the stay for a star rating, in minor units. */
export type UsualPrice = (starRating: number) => number

/** Compares prices within a star class on a fixed scale, so that a score does not depend on other properties. */
export function createUsualPrices(stay: Stay, currency: string, rates: ExchangeRates): UsualPrice {
  const roomNights = countNights(stay) * stay.occupancies.length
  const prices = USUAL_DOLLARS.map((dollars) => {
    const usual = { minor: dollars * 100 * roomNights, currency: 'USD' }
    return Math.max(1, (convertMoney(usual, currency, rates) ?? usual).minor)
  })
  return (starRating) => prices[Math.min(5, Math.max(1, Math.floor(starRating))) - 1] ?? 1
}

/** The recommended order, see docs/ranking.md. `first` is the property that was searched by name. */
export function rankResults(results: readonly SearchResult[], first?: string): SearchResult[] {
  const isFirst = ({ propertyId }: SearchResult) => (propertyId === first ? 1 : 0)
  return results.toSorted(
    (a, b) => isFirst(b) - isFirst(a) || b.score - a.score || (a.propertyId < b.propertyId ? -1 : 1),
  )
}

export function scoreResult(
  { offers: [best], distanceKm, facts }: Omit<SearchResult, 'score'>,
  radiusKm: number,
  usual: UsualPrice,
): number {
  if (best === undefined) return 0
  const fair = usual(facts.starRating)
  const price = fair / (fair + best.total.minor)
  const rating = facts.guestRatings.overall === 0 ? 0.6 : facts.guestRatings.overall / 5
  const distance = 1 / (1 + (3 * distanceKm) / Math.max(radiusKm, 1))
  const score =
    WEIGHTS.price * price +
    WEIGHTS.rating * rating +
    WEIGHTS.distance * distance +
    WEIGHTS.stars * (facts.starRating / 5) +
    (best.freeCancellation === undefined ? 0 : WEIGHTS.freedom)
  return Math.round(score * 10_000) / 10_000
}
