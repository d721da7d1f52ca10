import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Summary } from '../../../web/src/api/shapes.ts'
import { countFilterOptions, suggestRelaxations } from '../../../web/src/results/filters/facets.ts'
import {
  type Filters,
  NO_FILTERS,
  parseFilterQuery,
  passesFilters,
  SORT_ORDERS,
  writeFilters,
} from '../../../web/src/results/filters/filters.ts'
import { createLocator } from '../../../web/src/results/filters/neighbourhoods.ts'
import { buildListing, chooseIntake } from '../../../web/src/results/listing.ts'

const createSummary = (id: string, more: Partial<Summary> = {}): Summary =>
  ({
    property_id: id,
    name: `Hotel ${id}`,
    total_price: 100,
    star_rating: 3,
    score: 0.5,
    distance_km: 1,
    review_count: 10,
    guest_ratings: { overall: 4, count: 10 },
    amenities: ['wifi'],
    board: 'room_only',
    category: 'Hotel',
    chain: '',
    ...more,
  }) as Summary

const someSummaries = fc.uniqueArray(fc.nat(500), { minLength: 1, maxLength: 40 }).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc
        .record({
          total_price: fc.nat(900),
          star_rating: fc.constantFrom(0, 2, 3, 3.5, 5),
          score: fc.double({ min: 0, max: 1, noNaN: true }),
          amenities: fc.subarray(['wifi', 'pool', 'spa']),
        })
        .map((more) => createSummary(String(id), more)),
    ),
  ),
)
const someFilters: fc.Arbitrary<Filters> = fc
  .record({
    stars: fc.subarray([2, 3, 5]),
    amenities: fc.subarray(['wifi', 'pool']),
    freeCancellation: fc.boolean(),
    boards: fc.subarray(['room_only' as const, 'breakfast' as const]),
    priceMax: fc.option(fc.nat(1_000), { nil: undefined }),
    kinds: fc.subarray(['Hotel', 'Bed, breakfast & more']),
    distance: fc.constantFrom(undefined, 0.5, 2),
  })
  .map((chosen) => ({ ...NO_FILTERS, ...chosen }))

test('cards on the first screen keep their order when more results arrive', () => {
  fc.assert(
    fc.property(someSummaries, fc.nat(40), fc.constantFrom(...SORT_ORDERS), (all, known, sort) => {
      const first = buildListing([], all.slice(0, known), NO_FILTERS, sort, 'fresh').shown
      const later = buildListing(first, all, NO_FILTERS, sort, 'keep_top').shown
      expect(later.slice(0, Math.min(6, first.length))).toEqual(first.slice(0, 6))
      expect(new Set(later)).toEqual(new Set(all))
    }),
  )
})

test('a scrolled list does not change, and waiting results are counted', () => {
  fc.assert(
    fc.property(someSummaries, fc.nat(40), (all, known) => {
      const first = buildListing([], all.slice(0, known), NO_FILTERS, 'price', 'fresh').shown
      if (first.length === 0) return
      const held = buildListing(first, all, NO_FILTERS, 'price', 'hold')
      expect(held.shown).toBe(first)
      expect(held.waiting).toBe(all.length - first.length)
    }),
  )
})

test('a lower price of a shown stay counts as outdated, not as a new stay', () => {
  const before = [createSummary('a'), createSummary('b')]
  const held = buildListing(
    before,
    [createSummary('a', { total_price: 90 }), createSummary('b')],
    NO_FILTERS,
    'price',
    'hold',
  )
  expect(held).toMatchObject({ waiting: 0, outdated: 1 })
})

test('the count of an option is the number of stays left after choosing it', () => {
  fc.assert(
    fc.property(someSummaries, someFilters, (all, filters) => {
      const facets = countFilterOptions(all, filters)
      const left = (next: Filters) => all.filter((each) => passesFilters(each, next)).length
      for (const [stars, count] of facets.stars) expect(count).toBe(left({ ...filters, stars: [stars] }))
      for (const [kind, count] of facets.kinds) expect(count).toBe(left({ ...filters, kinds: [kind] }))
      for (const [distance, count] of facets.distances) expect(count).toBe(left({ ...filters, distance }))
      for (const [amenity, count] of facets.amenities)
        expect(count).toBe(left({ ...filters, amenities: [...new Set([...filters.amenities, amenity])] }))
    }),
  )
})

test('before the first stays are known no option has a count, because 0 would be wrong', () => {
  const { ratings, distances, stars, prices } = countFilterOptions([], NO_FILTERS)
  expect([...ratings, ...distances, ...stars]).toEqual([])
  expect(prices).toMatchObject({ lowest: 0, highest: 0 })
})

test('an option that would leave nothing keeps its place with the count 0', () => {
  const all = [
    createSummary('a', { star_rating: 5, category: 'Resort' }),
    createSummary('b', { star_rating: 3, amenities: ['pool'], chain: 'Northern' }),
  ]
  const facets = countFilterOptions(all, { ...NO_FILTERS, stars: [5], amenities: ['wifi'], chains: ['Gone'] })
  expect(facets.kinds.get('Hotel')).toBe(0)
  expect(facets.amenities.get('pool')).toBe(0)
  expect([...facets.chains]).toEqual([
    ['Northern', 0],
    ['Gone', 0],
  ])
  expect([...facets.stars.keys()].toSorted()).toEqual([3, 5])
})

test('removing a suggested filter shows as many stays as announced', () => {
  const all = [createSummary('a', { star_rating: 5 }), createSummary('b', { amenities: ['pool'] })]
  const filters = { ...NO_FILTERS, stars: [5], amenities: ['pool'] }
  expect(suggestRelaxations(all, filters).map(({ gained }) => gained)).toEqual([1, 1])
})

test('conditions hide no result, because the search has already applied them', () => {
  const all = [createSummary('a'), createSummary('b', { board: 'breakfast' })]
  const filters: Filters = { ...NO_FILTERS, boards: ['half_board'], freeCancellation: true }
  expect(buildListing([], all, filters, 'price', 'fresh').shown).toHaveLength(2)
  expect(suggestRelaxations(all, { ...filters, stars: [1] })).toMatchObject([
    { without: { group: 'stars' }, gained: 2 },
  ])
})

test('filters survive a round trip through the address', () => {
  fc.assert(
    fc.property(someFilters, fc.constantFrom(...SORT_ORDERS), (filters, sort) => {
      const query = writeFilters(new URLSearchParams('to=x'), filters, sort)
      expect(parseFilterQuery(new URLSearchParams(query.toString()))).toEqual({ filters, sort })
    }),
  )
})

test('stays are filtered and counted by the nearest neighbourhood', () => {
  const locatedAt = (lat: number, lon: number) => ({ location: { lat, lon } })
  const locate = createLocator([
    { id: '1', name: 'Alfama, Lisbon, Portugal', ...locatedAt(38.712, -9.13) },
    { id: '2', name: 'Belém, Lisbon, Portugal', ...locatedAt(38.697, -9.206) },
  ])
  const stays = [
    createSummary('a', locatedAt(38.713, -9.131)),
    createSummary('b', locatedAt(38.698, -9.2)),
    createSummary('c', locatedAt(38.9, -9.4)),
  ]
  const found = new Map(stays.map((stay) => [stay.property_id, stay]))
  const all = [...locate(found).values()]
  expect(all.map(({ neighbourhood }) => neighbourhood)).toEqual(['Alfama', 'Belém', ''])
  expect([...locate(found).values()].every((stay, index) => stay === all[index])).toBe(true)
  const filters = { ...NO_FILTERS, neighbourhoods: ['Belém'] }
  expect(all.filter((stay) => passesFilters(stay, filters)).map(({ property_id }) => property_id)).toEqual(['b'])
  expect(countFilterOptions(all, filters).neighbourhoods).toEqual(
    new Map([
      ['Alfama', 1],
      ['Belém', 1],
    ]),
  )
  // Before neighbourhoods are known, a link with the filter hides nothing.
  expect(stays.filter((stay) => passesFilters(stay, filters))).toHaveLength(3)
})

test('the list is sorted completely when the search ends, unless it is being read', () => {
  const atTop = { isNewList: false, isScrolled: false, isPointing: false, hasEnded: false }
  expect(chooseIntake(atTop)).toBe('keep_top')
  expect(chooseIntake({ ...atTop, hasEnded: true })).toBe('fresh')
  expect(chooseIntake({ ...atTop, hasEnded: true, isPointing: true })).toBe('keep_top')
  expect(chooseIntake({ ...atTop, hasEnded: true, isScrolled: true })).toBe('hold')
})
