import type { FoundProperty } from './merge-offers.ts'
import type { SummaryFacts } from './property-source.ts'

export type RankedProperty = FoundProperty & { readonly score: number; readonly facts: SummaryFacts }

const WEIGHTS = { price: 0.3, rating: 0.3, distance: 0.2, stars: 0.15, freedom: 0.05 } as const

/** Half-star classes have too few houses for a price of their own. */
const classOf = (starRating: number) => Math.max(1, Math.floor(starRating))

/**
 * The recommended order, explained in docs/ranking.md. Nothing that a vendor or property pays for counts.
 * Each part lies between 0 and 1; a property nobody has rated stands where an average one does.
 */
export function rank(
  found: readonly FoundProperty[],
  factsOf: ReadonlyMap<string, SummaryFacts>,
  radiusKm: number,
): RankedProperty[] {
  const usual = usualPrices(found, factsOf)
  const ranked: RankedProperty[] = []
  for (const property of found) {
    const facts = factsOf.get(property.propertyId)
    if (facts !== undefined) ranked.push({ ...property, facts, score: scoreOf(property, facts, usual, radiusKm) })
  }
  return ranked.sort((a, b) => b.score - a.score || (a.propertyId < b.propertyId ? -1 : 1))
}

export function scoreOf(property: FoundProperty, facts: SummaryFacts, usual: UsualPrices, radiusKm: number): number {
  const [best] = property.offers
  if (best === undefined) return 0
  const median = usual.get(classOf(facts.starRating)) ?? best.total.minor
  const price = median / (median + best.total.minor)
  const rating = facts.guestRating === 0 ? 0.6 : facts.guestRating / 5
  const distance = 1 / (1 + (3 * property.distanceKm) / Math.max(radiusKm, 1))
  const score =
    WEIGHTS.price * price +
    WEIGHTS.rating * rating +
    WEIGHTS.distance * distance +
    WEIGHTS.stars * (facts.starRating / 5) +
    (best.freeCancellation ? WEIGHTS.freedom : 0)
  return Math.round(score * 10_000) / 10_000
}

/** The median price of each star class: a cheap house is one that is cheap for what it is. */
export type UsualPrices = ReadonlyMap<number, number>

export function usualPrices(found: readonly FoundProperty[], factsOf: ReadonlyMap<string, SummaryFacts>): UsualPrices {
  const prices = new Map<number, number[]>()
  for (const { propertyId, offers } of found) {
    const facts = factsOf.get(propertyId)
    const [best] = offers
    if (facts === undefined || best === undefined) continue
    const of = classOf(facts.starRating)
    const list = prices.get(of)
    if (list === undefined) prices.set(of, [best.total.minor])
    else list.push(best.total.minor)
  }
  return new Map([...prices].map(([of, list]) => [of, list.sort((a, b) => a - b)[list.length >> 1] ?? 1]))
}
