import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { PropertySummary } from '../domain/property/property-summary.ts'
import { nightsOf, type Stay } from '../domain/stay.ts'
import type { FoundProperty } from './merge-offers.ts'
import { type SellProperty, soldAtNet } from './sell-properties.ts'

export type RankedProperty = FoundProperty & { readonly score: number; readonly facts: PropertySummary }

const WEIGHTS = { price: 0.3, rating: 0.3, distance: 0.2, stars: 0.15, freedom: 0.05 } as const

/** What a room usually costs per night, in US dollars, by stars; the first one also for those without any. */
const USUAL_DOLLARS = [60, 80, 110, 170, 340]

/** What the stay usually costs in a property of so many stars, in minor units. */
export type UsualPrice = (starRating: number) => number

/**
 * A cheap property is one that is cheap for its class. The scale is fixed, so that a score depends on its property alone and
 * stays the same while other properties are still being found.
 */
export function usualPrices(stay: Stay, currency: string, rates: ExchangeRates): UsualPrice {
  const roomNights = nightsOf(stay) * stay.occupancies.length
  const prices = USUAL_DOLLARS.map((dollars) => {
    const usual = { minor: dollars * 100 * roomNights, currency: 'USD' }
    return Math.max(1, (convertMoney(usual, currency, rates) ?? usual).minor)
  })
  return (starRating) => prices[Math.min(5, Math.max(1, Math.floor(starRating))) - 1] ?? 1
}

/**
 * The recommended order, explained in docs/ranking.md. Nothing that a vendor or property pays for counts.
 * Each part lies between 0 and 1; `first` is the property that was searched for by its name; a property nobody has rated stands where an average one does.
 */
export function rank(
  found: readonly FoundProperty[],
  factsOf: ReadonlyMap<string, PropertySummary>,
  radiusKm: number,
  usual: UsualPrice,
  sell: SellProperty = soldAtNet,
  first?: string,
): RankedProperty[] {
  const isFirst = ({ propertyId }: RankedProperty) => (propertyId === first ? 1 : 0)
  return scored(found, factsOf, radiusKm, usual, sell).sort(
    (a, b) => isFirst(b) - isFirst(a) || b.score - a.score || (a.propertyId < b.propertyId ? -1 : 1),
  )
}

/** Those that are described and can be sold, each with its selling prices and its score. */
export function scored(
  found: readonly FoundProperty[],
  factsOf: ReadonlyMap<string, PropertySummary>,
  radiusKm: number,
  usual: UsualPrice,
  sell: SellProperty = soldAtNet,
): RankedProperty[] {
  return found.flatMap((property) => {
    const facts = factsOf.get(property.propertyId)
    if (facts === undefined) return []
    const sold = sell(property, facts)
    return sold === undefined ? [] : [{ ...sold, facts, score: scoreOf(sold, facts, radiusKm, usual) }]
  })
}

function scoreOf(property: FoundProperty, facts: PropertySummary, radiusKm: number, usual: UsualPrice): number {
  const [best] = property.offers
  if (best === undefined) return 0
  const fair = usual(facts.starRating)
  const price = fair / (fair + best.total.minor)
  const rating = facts.guestRatings.overall === 0 ? 0.6 : facts.guestRatings.overall / 5
  const distance = 1 / (1 + (3 * property.distanceKm) / Math.max(radiusKm, 1))
  const score =
    WEIGHTS.price * price +
    WEIGHTS.rating * rating +
    WEIGHTS.distance * distance +
    WEIGHTS.stars * (facts.starRating / 5) +
    (best.freeCancellation ? WEIGHTS.freedom : 0)
  return Math.round(score * 10_000) / 10_000
}
