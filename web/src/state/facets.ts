import type { Board, Summary } from '../api/shapes.ts'
import { boardsOf, type Filters, type Group, isFree, NO_FILTERS, passes, passesBut } from './filters.ts'

export const RATING_STEPS = [3, 3.5, 4, 4.5] as const

/** How many stays each option would leave, given the other filters. */
export type Facets = {
  readonly stars: ReadonlyMap<number, number>
  readonly ratings: ReadonlyMap<number, number>
  readonly amenities: ReadonlyMap<string, number>
  readonly boards: ReadonlyMap<Board, number>
  readonly freeCancellation: number
  readonly prices: { readonly lowest: number; readonly highest: number; readonly bars: readonly number[] }
}

const BARS = 20

export function facetsOf(properties: readonly Summary[], filters: Filters): Facets {
  const but = (group: Group) => properties.filter((property) => passesBut(property, filters, group))
  const rated = but('rating')
  const amenities = new Map<string, number>()
  // A stay must have all chosen amenities, so others are counted among the stays that have them.
  for (const property of properties.filter((each) => passes(each, filters)))
    for (const amenity of new Set(property.amenities)) amenities.set(amenity, (amenities.get(amenity) ?? 0) + 1)
  for (const amenity of filters.amenities) if (!amenities.has(amenity)) amenities.set(amenity, 0)
  return {
    stars: tally(but('stars'), (property) => [Math.floor(property.star_rating)]),
    ratings: new Map(
      RATING_STEPS.map((step) => [step, rated.filter(({ guest_ratings }) => guest_ratings.overall >= step).length]),
    ),
    amenities,
    boards: tally(but('boards'), boardsOf),
    freeCancellation: but('free').filter(isFree).length,
    prices: pricesOf(but('price')),
  }
}

export type Relaxation = { readonly without: ActiveFilter; readonly gained: number }
export type ActiveFilter =
  | { readonly group: 'stars' | 'rating'; readonly value: number }
  | { readonly group: 'price' | 'free' }
  | { readonly group: 'amenities' | 'name'; readonly value: string }
  | { readonly group: 'boards'; readonly value: Board }

export function activeFilters(filters: Filters): ActiveFilter[] {
  const priced = filters.priceMin !== undefined || filters.priceMax !== undefined
  return [
    ...filters.stars.map((value) => ({ group: 'stars' as const, value })),
    ...(priced ? [{ group: 'price' as const }] : []),
    ...(filters.rating === undefined ? [] : [{ group: 'rating' as const, value: filters.rating }]),
    ...filters.amenities.map((value) => ({ group: 'amenities' as const, value })),
    ...filters.boards.map((value) => ({ group: 'boards' as const, value })),
    ...(filters.freeCancellation ? [{ group: 'free' as const }] : []),
    ...(filters.name === '' ? [] : [{ group: 'name' as const, value: filters.name }]),
  ]
}

export function withoutFilter(filters: Filters, active: ActiveFilter): Filters {
  switch (active.group) {
    case 'stars':
      return { ...filters, stars: filters.stars.filter((each) => each !== active.value) }
    case 'price':
      return { ...filters, priceMin: undefined, priceMax: undefined }
    case 'rating':
      return { ...filters, rating: undefined }
    case 'amenities':
      return { ...filters, amenities: filters.amenities.filter((each) => each !== active.value) }
    case 'boards':
      return { ...filters, boards: filters.boards.filter((each) => each !== active.value) }
    case 'free':
      return { ...filters, freeCancellation: NO_FILTERS.freeCancellation }
    case 'name':
      return { ...filters, name: NO_FILTERS.name }
  }
}

/** When nothing matches: which single filter to remove, the most helpful first. */
export function relaxations(properties: readonly Summary[], filters: Filters): Relaxation[] {
  return activeFilters(filters)
    .map((without) => {
      const relaxed = withoutFilter(filters, without)
      return { without, gained: properties.filter((property) => passes(property, relaxed)).length }
    })
    .filter(({ gained }) => gained > 0)
    .sort((a, b) => b.gained - a.gained)
}

function tally<K>(properties: readonly Summary[], keysOf: (property: Summary) => readonly K[]): Map<K, number> {
  const counts = new Map<K, number>()
  for (const property of properties) for (const key of keysOf(property)) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

function pricesOf(properties: readonly Summary[]): Facets['prices'] {
  const prices = properties.map((property) => property.total_price)
  const lowest = prices.reduce((least, price) => Math.min(least, price), Number.POSITIVE_INFINITY)
  const highest = prices.reduce((most, price) => Math.max(most, price), 0)
  const bars = new Array<number>(BARS).fill(0)
  for (const price of prices) {
    const place = highest > lowest ? Math.floor(((price - lowest) / (highest - lowest)) * (BARS - 1)) : 0
    bars[place] = (bars[place] ?? 0) + 1
  }
  return { lowest: prices.length === 0 ? 0 : lowest, highest, bars }
}
