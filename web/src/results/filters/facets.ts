import type { Board, Summary } from '../../api/shapes.ts'
import { normalizeChain } from '../../property/property-names.ts'
import { type Filters, type Group, kindOf, NO_FILTERS, passesFilters, passesOtherGroups } from './filters.ts'

export const RATING_STEPS = [3, 3.5, 4, 4.5] as const
export const DISTANCE_STEPS = [0.5, 1, 2, 5, 10] as const

/** Number of stays that each option would leave, given the other filters. Unknown for conditions: they start a search. */
export type Facets = {
  readonly stars: ReadonlyMap<number, number>
  readonly ratings: ReadonlyMap<number, number>
  readonly amenities: ReadonlyMap<string, number>
  readonly kinds: ReadonlyMap<string, number>
  readonly chains: ReadonlyMap<string, number>
  readonly neighbourhoods: ReadonlyMap<string, number>
  readonly distances: ReadonlyMap<number, number>
  readonly prices: { readonly lowest: number; readonly highest: number; readonly bars: readonly number[] }
}

const BAR_COUNT = 20

export function countFilterOptions(properties: readonly Summary[], filters: Filters): Facets {
  const but = (group: Group) => properties.filter((property) => passesOtherGroups(property, filters, group))
  const rated = but('rating')
  const near = but('distance')
  // A stay must have all chosen amenities, so further ones are counted among the matching stays.
  const passing = properties.filter((each) => passesFilters(each, filters))
  /** Keeps every option that a stay has or that is chosen, even if it would leave nothing. */
  const options = <K>(
    getKeys: (property: Summary) => readonly K[],
    chosen: readonly K[],
    among: readonly Summary[],
  ) => {
    const counts = new Map([...properties.flatMap(getKeys), ...chosen].map((key) => [key, 0]))
    for (const property of among)
      for (const key of new Set(getKeys(property))) counts.set(key, (counts.get(key) ?? 0) + 1)
    return counts
  }
  /** Empty before the first results, because the counts are unknown. */
  const countSteps = (steps: readonly number[], count: (step: number) => number) =>
    new Map(properties.length === 0 ? [] : steps.map((step) => [step, count(step)]))
  return {
    stars: options(({ star_rating }) => [Math.floor(star_rating)], filters.stars, but('stars')),
    ratings: countSteps(RATING_STEPS, (step) => rated.filter(({ guest_rating }) => guest_rating >= step).length),
    amenities: options((property) => property.amenities, filters.amenities, passing),
    kinds: options((property) => toOptions(kindOf(property)), filters.kinds, but('kinds')),
    chains: options(({ chain }) => toOptions(normalizeChain(chain)), filters.chains, but('chains')),
    neighbourhoods: options(
      ({ neighbourhood = '' }) => toOptions(neighbourhood),
      filters.neighbourhoods,
      but('neighbourhoods'),
    ),
    distances: countSteps(DISTANCE_STEPS, (step) => near.filter(({ distance_km }) => distance_km <= step).length),
    prices: summarizePrices(but('price').map(({ total_price }) => total_price)),
  }
}

const toOptions = (name: string): string[] => (name === '' ? [] : [name])

export type Relaxation = { readonly without: ActiveFilter; readonly gained: number }
export type ActiveFilter =
  | { readonly group: 'stars' | 'rating' | 'distance'; readonly value: number }
  | { readonly group: 'price' | 'free' }
  | { readonly group: 'amenities' | 'kinds' | 'chains' | 'neighbourhoods' | 'name'; readonly value: string }
  | { readonly group: 'boards'; readonly value: Board }

export function listActiveFilters(filters: Filters): ActiveFilter[] {
  const priced = filters.priceMin !== undefined || filters.priceMax !== undefined
  return [
    ...filters.stars.map((value) => ({ group: 'stars' as const, value })),
    ...(priced ? [{ group: 'price' as const }] : []),
    ...(filters.rating === undefined ? [] : [{ group: 'rating' as const, value: filters.rating }]),
    ...filters.amenities.map((value) => ({ group: 'amenities' as const, value })),
    ...filters.boards.map((value) => ({ group: 'boards' as const, value })),
    ...(filters.freeCancellation ? [{ group: 'free' as const }] : []),
    ...filters.kinds.map((value) => ({ group: 'kinds' as const, value })),
    ...filters.chains.map((value) => ({ group: 'chains' as const, value })),
    ...filters.neighbourhoods.map((value) => ({ group: 'neighbourhoods' as const, value })),
    ...(filters.distance === undefined ? [] : [{ group: 'distance' as const, value: filters.distance }]),
    ...(filters.name === '' ? [] : [{ group: 'name' as const, value: filters.name }]),
  ]
}

export function removeFilter(filters: Filters, active: ActiveFilter): Filters {
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
    case 'kinds':
      return { ...filters, kinds: filters.kinds.filter((each) => each !== active.value) }
    case 'chains':
      return { ...filters, chains: filters.chains.filter((each) => each !== active.value) }
    case 'neighbourhoods':
      return { ...filters, neighbourhoods: filters.neighbourhoods.filter((each) => each !== active.value) }
    case 'distance':
      return { ...filters, distance: undefined }
    case 'free':
      return { ...filters, freeCancellation: NO_FILTERS.freeCancellation }
    case 'name':
      return { ...filters, name: NO_FILTERS.name }
  }
}

/** Filters to remove if nothing matches, most helpful first. Never a condition, because all results meet them. */
export function suggestRelaxations(properties: readonly Summary[], filters: Filters): Relaxation[] {
  return listActiveFilters(filters)
    .map((without) => {
      const relaxed = removeFilter(filters, without)
      return { without, gained: properties.filter((property) => passesFilters(property, relaxed)).length }
    })
    .filter(({ gained }) => gained > 0)
    .sort((a, b) => b.gained - a.gained)
}

function summarizePrices(prices: readonly number[]): Facets['prices'] {
  const lowest = prices.reduce((minimum, price) => Math.min(minimum, price), Number.POSITIVE_INFINITY)
  const highest = prices.reduce((maximum, price) => Math.max(maximum, price), 0)
  const bars = new Array<number>(BAR_COUNT).fill(0)
  for (const price of prices) {
    const place = highest > lowest ? Math.floor(((price - lowest) / (highest - lowest)) * (BAR_COUNT - 1)) : 0
    bars[place] = (bars[place] ?? 0) + 1
  }
  return { lowest: prices.length === 0 ? 0 : lowest, highest, bars }
}
