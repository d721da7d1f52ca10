import type { FoundProperty } from './merge-offers.ts'
import type { SummaryFacts } from './property-source.ts'

export type RankedProperty = FoundProperty & { readonly score: number; readonly facts: SummaryFacts }

const WEIGHTS = { price: 0.4, rating: 0.25, distance: 0.2, stars: 0.1, freedom: 0.05 } as const

/**
 * The recommended order, explained in docs/ranking.md. Nothing that a vendor or property pays for counts.
 * Each part lies between 0 and 1; a property nobody has rated stands where an average one does.
 */
export function rank(
  found: readonly FoundProperty[],
  factsOf: ReadonlyMap<string, SummaryFacts>,
  radiusKm: number,
): RankedProperty[] {
  const median = medianPrice(found)
  const ranked: RankedProperty[] = []
  for (const property of found) {
    const facts = factsOf.get(property.propertyId)
    if (facts !== undefined) ranked.push({ ...property, facts, score: scoreOf(property, facts, median, radiusKm) })
  }
  return ranked.sort((a, b) => b.score - a.score || (a.propertyId < b.propertyId ? -1 : 1))
}

export function scoreOf(property: FoundProperty, facts: SummaryFacts, median: number, radiusKm: number): number {
  const [best] = property.offers
  if (best === undefined) return 0
  const parts = {
    // 1 for free, a half at the median price, ever less above it.
    price: median / (median + best.total.minor),
    rating: facts.guestRating === 0 ? 0.6 : facts.guestRating / 5,
    distance: 1 / (1 + (3 * property.distanceKm) / Math.max(radiusKm, 1)),
    stars: facts.starRating / 5,
    freedom: best.freeCancellation ? 1 : 0,
  }
  const score =
    WEIGHTS.price * parts.price +
    WEIGHTS.rating * parts.rating +
    WEIGHTS.distance * parts.distance +
    WEIGHTS.stars * parts.stars +
    WEIGHTS.freedom * parts.freedom
  return Math.round(score * 10_000) / 10_000
}

export function medianPrice(found: readonly FoundProperty[]): number {
  const prices = found.map((property) => property.offers[0]?.total.minor ?? 0).sort((a, b) => a - b)
  return prices[prices.length >> 1] ?? 1
}
