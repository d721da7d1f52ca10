import type { Summary } from '../../api/shapes.ts'
import { normalizeChain } from '../../property/property-names.ts'
import { type Conditions, NO_CONDITIONS, readConditions, writeConditions } from '../../search/conditions.ts'

const STARS_MAX = 5

const isStarCount = (count: number): boolean => Number.isInteger(count) && count >= 0 && count <= STARS_MAX

export const SORT_ORDERS = ['recommended', 'price', 'rating', 'distance', 'stars'] as const
export type Sort = (typeof SORT_ORDERS)[number]

/** Conditions are met by all results; the other filters choose among them. */
export type Filters = Conditions & {
  readonly stars: readonly number[]
  readonly priceMin: number | undefined
  readonly priceMax: number | undefined
  readonly rating: number | undefined
  readonly amenities: readonly string[]
  /** Kinds of property, such as "Hotel", and chains, both normalized. */
  readonly kinds: readonly string[]
  readonly chains: readonly string[]
  readonly neighbourhoods: readonly string[]
  /** Kilometres from the destination. */
  readonly distance: number | undefined
  readonly name: string
}

export const NO_FILTERS: Filters = {
  ...NO_CONDITIONS,
  stars: [],
  priceMin: undefined,
  priceMax: undefined,
  rating: undefined,
  amenities: [],
  kinds: [],
  chains: [],
  neighbourhoods: [],
  distance: undefined,
  name: '',
}

/** One predicate per group of filters. */
const GROUP_TESTS = {
  stars: (property: Summary, { stars }: Filters) =>
    stars.length === 0 || stars.includes(Math.floor(property.star_rating)),
  price: ({ total_price: total }: Summary, { priceMin = 0, priceMax = Number.POSITIVE_INFINITY }: Filters) =>
    total >= priceMin && total <= priceMax,
  rating: (property: Summary, { rating }: Filters) => rating === undefined || property.guest_rating >= rating,
  amenities: (property: Summary, { amenities }: Filters) =>
    amenities.every((amenity) => property.amenities.includes(amenity)),
  kinds: (property: Summary, { kinds }: Filters) => kinds.length === 0 || kinds.includes(kindOf(property)),
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

/** Code of the property's type, or the vendor's name of an unknown type. */
export const kindOf = ({ category_code, category }: Summary): string => category_code ?? category

export const passesFilters = (property: Summary, filters: Filters): boolean =>
  GROUP_NAMES.every((group) => GROUP_TESTS[group](property, filters))

/** Applies all groups but one, whose options are counted from the result. */
export const passesOtherGroups = (property: Summary, filters: Filters, left: Group): boolean =>
  GROUP_NAMES.every((group) => group === left || GROUP_TESTS[group](property, filters))

const COMPARATORS: Record<Sort, (a: Summary, b: Summary) => number> = {
  recommended: (a, b) => b.score - a.score,
  price: (a, b) => a.total_price - b.total_price,
  rating: (a, b) => b.guest_rating - a.guest_rating || b.review_count - a.review_count,
  distance: (a, b) => a.distance_km - b.distance_km,
  stars: (a, b) => b.star_rating - a.star_rating || b.score - a.score,
}

/** Breaks ties by id, so that the order is deterministic. `destination` comes first among the recommended. */
export function createComparator(sort: Sort, destination?: string): (a: Summary, b: Summary) => number {
  const isFirst = ({ property_id }: Summary) => Number(sort === 'recommended' && property_id === destination)
  return (a, b) => isFirst(b) - isFirst(a) || COMPARATORS[sort](a, b) || (a.property_id < b.property_id ? -1 : 1)
}

/** Ignores invalid filters in a link. */
export function parseFilterQuery(query: URLSearchParams): { filters: Filters; sort: Sort } {
  const list = (name: string) => (query.get(name) ?? '').split(',').filter(Boolean)
  // Names may contain commas.
  const names = (name: string) => query.getAll(name).filter(Boolean)
  const amount = (name: string) => asNonNegative(Number.parseFloat(query.get(name) ?? ''))
  return {
    filters: {
      ...readConditions(query),
      stars: list('stars').map(Number).filter(isStarCount),
      priceMin: amount('min'),
      priceMax: amount('max'),
      rating: amount('rating'),
      amenities: list('amenities'),
      kinds: names('kind'),
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
    ...writeConditions(filters),
    stars: filters.stars.join(','),
    min: filters.priceMin === undefined ? '' : String(filters.priceMin),
    max: filters.priceMax === undefined ? '' : String(filters.priceMax),
    rating: filters.rating === undefined ? '' : String(filters.rating),
    amenities: filters.amenities.join(','),
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
