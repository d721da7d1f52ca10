import type { Board, Summary } from '../../api/shapes.ts'
import { boardOffersOf, type OfferKinds, shownPrice } from '../../offer/shown-price.ts'
import { chainOf, kindOf } from '../../property/property-names.ts'

/** In the order in which they are offered: options keep their place when counts change. */
export const BOARDS = [
  'room_only',
  'self_catering',
  'breakfast',
  'half_board',
  'full_board',
  'all_inclusive',
  'some_meals',
] as const satisfies readonly Board[]
const STARS_MAX = 5

const isBoard = (text: string): text is Board => BOARDS.some((board) => board === text)
const isStars = (count: number): boolean => Number.isInteger(count) && count >= 0 && count <= STARS_MAX

export const SORTS = ['recommended', 'price', 'rating', 'distance', 'stars'] as const
export type Sort = (typeof SORTS)[number]

export type Filters = {
  readonly stars: readonly number[]
  readonly priceMin: number | undefined
  readonly priceMax: number | undefined
  readonly rating: number | undefined
  readonly amenities: readonly string[]
  readonly boards: readonly Board[]
  readonly freeCancellation: boolean
  /** Kinds of property, such as "Hotel", and chains, by the names of `kindOf` and `chainOf`. */
  readonly kinds: readonly string[]
  readonly chains: readonly string[]
  readonly neighbourhoods: readonly string[]
  /** Kilometres from the destination. */
  readonly distance: number | undefined
  readonly name: string
}

export const NO_FILTERS: Filters = {
  stars: [],
  priceMin: undefined,
  priceMax: undefined,
  rating: undefined,
  amenities: [],
  boards: [],
  freeCancellation: false,
  kinds: [],
  chains: [],
  neighbourhoods: [],
  distance: undefined,
  name: '',
}

export const boardsOf = (property: Summary): readonly Board[] => boardOffersOf(property).map(({ board }) => board)

const isFree = (property: Summary): boolean =>
  property.free_cancellation !== undefined && property.free_cancellation !== null

/** One test per group of filters: whether a property passes. */
const GROUPS = {
  stars: (property: Summary, { stars }: Filters) =>
    stars.length === 0 || stars.includes(Math.floor(property.star_rating)),
  price: (property: Summary, filters: Filters) => {
    const { total } = shownPrice(property, filters)
    return total >= (filters.priceMin ?? 0) && total <= (filters.priceMax ?? Number.POSITIVE_INFINITY)
  },
  rating: (property: Summary, { rating }: Filters) => rating === undefined || property.guest_ratings.overall >= rating,
  amenities: (property: Summary, { amenities }: Filters) =>
    amenities.every((amenity) => property.amenities.includes(amenity)),
  boards: (property: Summary, { boards }: Filters) =>
    boards.length === 0 || boardsOf(property).some((board) => boards.includes(board)),
  free: (property: Summary, { freeCancellation }: Filters) => !freeCancellation || isFree(property),
  kinds: (property: Summary, { kinds }: Filters) => kinds.length === 0 || kinds.includes(kindOf(property.category)),
  chains: (property: Summary, { chains }: Filters) => chains.length === 0 || chains.includes(chainOf(property.chain)),
  /** A stay whose neighbourhood is not known yet is not hidden. */
  neighbourhoods: ({ neighbourhood }: Summary, { neighbourhoods }: Filters) =>
    neighbourhoods.length === 0 || neighbourhood === undefined || neighbourhoods.includes(neighbourhood),
  distance: (property: Summary, { distance }: Filters) => distance === undefined || property.distance_km <= distance,
  name: (property: Summary, { name }: Filters) => name === '' || fold(property.name).includes(fold(name)),
} as const
export type Group = keyof typeof GROUPS
const GROUP_NAMES = Object.keys(GROUPS) as Group[]

export const passes = (property: Summary, filters: Filters): boolean =>
  GROUP_NAMES.every((group) => GROUPS[group](property, filters))

/** Applies all groups but one; the counts of that group's options are taken from the result. */
export const passesBut = (property: Summary, filters: Filters, left: Group): boolean =>
  GROUP_NAMES.every((group) => group === left || GROUPS[group](property, filters))

/** The parts of the score that depend on the offer (docs/ranking.md). */
const WEIGHTS = { price: 0.3, free: 0.05 } as const

/**
 * The service scores the cheapest offer of a property. Where another one is shown, its price and terms count: the price as it
 * would where the cheapest offer has the usual price of its class, which the page does not know.
 */
export function scoreOf(property: Summary, kinds: OfferKinds): number {
  const { score, total_price: cheapest, free_cancellation: free } = property
  const { total } = shownPrice(property, kinds)
  const surcharge = total > cheapest ? WEIGHTS.price * (0.5 - cheapest / (cheapest + total)) : 0
  const freed = kinds.freeCancellation && free != null && free.total_price > cheapest ? WEIGHTS.free : 0
  return score - surcharge + freed
}

const COMPARE: Record<Sort, (a: Summary, b: Summary, kinds: OfferKinds) => number> = {
  recommended: (a, b, kinds) => scoreOf(b, kinds) - scoreOf(a, kinds),
  price: (a, b, kinds) => shownPrice(a, kinds).total - shownPrice(b, kinds).total,
  rating: (a, b) => b.guest_ratings.overall - a.guest_ratings.overall || b.review_count - a.review_count,
  distance: (a, b) => a.distance_km - b.distance_km,
  stars: (a, b, kinds) => b.star_rating - a.star_rating || scoreOf(b, kinds) - scoreOf(a, kinds),
}

/**
 * Ties are broken by id, so that the order does not depend on which vendor answered first. `destination`: the property that was
 * searched for by its name, the first of the recommended.
 */
export function compareBy(sort: Sort, kinds: OfferKinds, destination?: string): (a: Summary, b: Summary) => number {
  const isFirst = ({ property_id }: Summary) => Number(sort === 'recommended' && property_id === destination)
  return (a, b) => isFirst(b) - isFirst(a) || COMPARE[sort](a, b, kinds) || (a.property_id < b.property_id ? -1 : 1)
}

/** What a link says that is no filter is left out. */
export function readFilters(query: URLSearchParams): { filters: Filters; sort: Sort } {
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
  // Names may have commas.
  const names = (name: string) => query.getAll(name).filter(Boolean)
  const amount = (name: string) => notNegative(Number.parseFloat(query.get(name) ?? ''))
  return {
    filters: {
      stars: list('stars').map(Number).filter(isStars),
      priceMin: amount('min'),
      priceMax: amount('max'),
      rating: amount('rating'),
      amenities: list('amenities'),
      boards: list('board').filter(isBoard),
      freeCancellation: query.get('free') === '1',
      kinds: [...new Set(names('kind').map(kindOf))],
      chains: [...new Set(names('chain').map(chainOf))],
      neighbourhoods: names('neighbourhood'),
      distance: amount('distance'),
      name: query.get('name') ?? '',
    },
    sort: SORTS.find((sort) => sort === query.get('sort')) ?? 'recommended',
  }
}

/** An amount as people type it, in any locale: a mark before three digits groups them, any other is the decimal one. */
export const amountOf = (text: string): number | undefined =>
  notNegative(Number.parseFloat(text.replace(/[.,'’\s](?=\d{3}(?!\d))/g, '').replace(',', '.')))

const notNegative = (value: number): number | undefined => (Number.isFinite(value) && value >= 0 ? value : undefined)

/** Writes into a copy; filters that are not set are left out of the address. */
export function writeFilters(query: URLSearchParams, filters: Filters, sort: Sort): URLSearchParams {
  const next = new URLSearchParams(query)
  const values: Record<string, string | readonly string[]> = {
    stars: filters.stars.join(','),
    min: filters.priceMin === undefined ? '' : String(filters.priceMin),
    max: filters.priceMax === undefined ? '' : String(filters.priceMax),
    rating: filters.rating === undefined ? '' : String(filters.rating),
    amenities: filters.amenities.join(','),
    board: filters.boards.join(','),
    free: filters.freeCancellation ? '1' : '',
    kind: filters.kinds,
    chain: filters.chains,
    neighbourhood: filters.neighbourhoods,
    distance: filters.distance === undefined ? '' : String(filters.distance),
    name: filters.name,
    sort: sort === 'recommended' ? '' : sort,
  }
  for (const [name, value] of Object.entries(values)) {
    next.delete(name)
    for (const each of [value].flat()) if (each !== '') next.append(name, each)
  }
  return next
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
