import type { Board, Summary } from '../../api/shapes.ts'
import { getShownPrice, listBoardOffers, type OfferKinds } from '../../offer/shown-price.ts'
import { normalizeChain, normalizeKind } from '../../property/property-names.ts'

/** In display order: options keep their position when counts change. */
export const BOARD_OPTIONS = [
  'room_only',
  'self_catering',
  'breakfast',
  'half_board',
  'full_board',
  'all_inclusive',
  'some_meals',
] as const satisfies readonly Board[]
const STARS_MAX = 5

const isBoard = (text: string): text is Board => BOARD_OPTIONS.some((board) => board === text)
const isStarCount = (count: number): boolean => Number.isInteger(count) && count >= 0 && count <= STARS_MAX

export const SORT_ORDERS = ['recommended', 'price', 'rating', 'distance', 'stars'] as const
export type Sort = (typeof SORT_ORDERS)[number]

export type Filters = {
  readonly stars: readonly number[]
  readonly priceMin: number | undefined
  readonly priceMax: number | undefined
  readonly rating: number | undefined
  readonly amenities: readonly string[]
  readonly boards: readonly Board[]
  readonly freeCancellation: boolean
  /** Kinds of property, such as "Hotel", and chains, both normalized. */
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

export const listBoards = (property: Summary): readonly Board[] => listBoardOffers(property).map(({ board }) => board)

const isFree = (property: Summary): boolean =>
  property.free_cancellation !== undefined && property.free_cancellation !== null

/** One predicate per group of filters. */
const GROUP_TESTS = {
  stars: (property: Summary, { stars }: Filters) =>
    stars.length === 0 || stars.includes(Math.floor(property.star_rating)),
  price: (property: Summary, filters: Filters) => {
    const { total } = getShownPrice(property, filters)
    return total >= (filters.priceMin ?? 0) && total <= (filters.priceMax ?? Number.POSITIVE_INFINITY)
  },
  rating: (property: Summary, { rating }: Filters) => rating === undefined || property.guest_ratings.overall >= rating,
  amenities: (property: Summary, { amenities }: Filters) =>
    amenities.every((amenity) => property.amenities.includes(amenity)),
  boards: (property: Summary, { boards }: Filters) =>
    boards.length === 0 || listBoards(property).some((board) => boards.includes(board)),
  free: (property: Summary, { freeCancellation }: Filters) => !freeCancellation || isFree(property),
  kinds: (property: Summary, { kinds }: Filters) =>
    kinds.length === 0 || kinds.includes(normalizeKind(property.category)),
  chains: (property: Summary, { chains }: Filters) =>
    chains.length === 0 || chains.includes(normalizeChain(property.chain)),
  /** Stays whose neighbourhood is not known yet are not hidden. */
  neighbourhoods: ({ neighbourhood }: Summary, { neighbourhoods }: Filters) =>
    neighbourhoods.length === 0 || neighbourhood === undefined || neighbourhoods.includes(neighbourhood),
  distance: (property: Summary, { distance }: Filters) => distance === undefined || property.distance_km <= distance,
  name: (property: Summary, { name }: Filters) => name === '' || foldText(property.name).includes(foldText(name)),
} as const
export type Group = keyof typeof GROUP_TESTS
const GROUP_NAMES = Object.keys(GROUP_TESTS) as Group[]

export const passesFilters = (property: Summary, filters: Filters): boolean =>
  GROUP_NAMES.every((group) => GROUP_TESTS[group](property, filters))

/** Applies all groups but one, whose options are counted from the result. */
export const passesOtherGroups = (property: Summary, filters: Filters, left: Group): boolean =>
  GROUP_NAMES.every((group) => group === left || GROUP_TESTS[group](property, filters))

/** Parts of the score that depend on the offer (docs/ranking.md). */
const WEIGHTS = { price: 0.3, free: 0.05 } as const

/**
 * Adjusts the service's score if another than the cheapest offer is shown, assuming that the cheapest has the usual
 * price of its class.
 */
export function scoreShownOffer(property: Summary, kinds: OfferKinds): number {
  const { score, total_price: cheapest, free_cancellation: free } = property
  const { total } = getShownPrice(property, kinds)
  const surcharge = total > cheapest ? WEIGHTS.price * (0.5 - cheapest / (cheapest + total)) : 0
  const freed = kinds.freeCancellation && free != null && free.total_price > cheapest ? WEIGHTS.free : 0
  return score - surcharge + freed
}

const COMPARATORS: Record<Sort, (a: Summary, b: Summary, kinds: OfferKinds) => number> = {
  recommended: (a, b, kinds) => scoreShownOffer(b, kinds) - scoreShownOffer(a, kinds),
  price: (a, b, kinds) => getShownPrice(a, kinds).total - getShownPrice(b, kinds).total,
  rating: (a, b) => b.guest_ratings.overall - a.guest_ratings.overall || b.review_count - a.review_count,
  distance: (a, b) => a.distance_km - b.distance_km,
  stars: (a, b, kinds) => b.star_rating - a.star_rating || scoreShownOffer(b, kinds) - scoreShownOffer(a, kinds),
}

/** Breaks ties by id, so that the order is deterministic. `destination` comes first among the recommended. */
export function createComparator(
  sort: Sort,
  kinds: OfferKinds,
  destination?: string,
): (a: Summary, b: Summary) => number {
  const isFirst = ({ property_id }: Summary) => Number(sort === 'recommended' && property_id === destination)
  return (a, b) => isFirst(b) - isFirst(a) || COMPARATORS[sort](a, b, kinds) || (a.property_id < b.property_id ? -1 : 1)
}

/** Ignores invalid filters in a link. */
export function parseFilterQuery(query: URLSearchParams): { filters: Filters; sort: Sort } {
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
  // Names may contain commas.
  const names = (name: string) => query.getAll(name).filter(Boolean)
  const amount = (name: string) => asNonNegative(Number.parseFloat(query.get(name) ?? ''))
  return {
    filters: {
      stars: list('stars').map(Number).filter(isStarCount),
      priceMin: amount('min'),
      priceMax: amount('max'),
      rating: amount('rating'),
      amenities: list('amenities'),
      boards: list('board').filter(isBoard),
      freeCancellation: query.get('free') === '1',
      kinds: [...new Set(names('kind').map(normalizeKind))],
      chains: [...new Set(names('chain').map(normalizeChain))],
      neighbourhoods: names('neighbourhood'),
      distance: amount('distance'),
      name: query.get('name') ?? '',
    },
    sort: SORT_ORDERS.find((sort) => sort === query.get('sort')) ?? 'recommended',
  }
}

/** Accepts amounts of any locale: a separator before three digits groups them, any other is the decimal separator. */
export const parseTypedAmount = (text: string): number | undefined =>
  asNonNegative(Number.parseFloat(text.replace(/[.,'’\s](?=\d{3}(?!\d))/g, '').replace(',', '.')))

const asNonNegative = (value: number): number | undefined => (Number.isFinite(value) && value >= 0 ? value : undefined)

/** Returns a copy of the query; unset filters are omitted. */
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

const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
