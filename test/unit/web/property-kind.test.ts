import { expect, test } from 'vitest'
import type { Summary } from '../../../web/src/api/shapes.ts'
import { facetsOf } from '../../../web/src/state/facets.ts'
import { NO_FILTERS, passes, readFilters } from '../../../web/src/state/filters.ts'
import { kindOf } from '../../../web/src/state/property-kind.ts'

const stay = (property_id: string, category: string) =>
  ({
    property_id,
    category,
    chain: '',
    star_rating: 3,
    total_price: 100,
    amenities: [],
    guest_ratings: { overall: 4 },
    board: 'room_only',
    distance_km: 1,
    name: property_id,
    free_cancellation: null,
  }) as unknown as Summary

test('a kind that vendors name in several ways is one option of the filter, and choosing it shows all of them', () => {
  const found = ['Guest house', 'Guest houses', 'Guesthouse', 'Hotel', 'Hotels'].map((name) => stay(name, name))
  expect([...facetsOf(found, NO_FILTERS).kinds]).toEqual([
    ['Guest house', 3],
    ['Hotel', 2],
  ])
  const kinds = { ...NO_FILTERS, kinds: ['Guest house'] }
  expect(found.filter((property) => passes(property, kinds))).toHaveLength(3)
})

test('a link with the name that one vendor uses filters for the kind', () => {
  expect(readFilters(new URLSearchParams('kind=Hotels&kind=Hotel')).filters.kinds).toEqual(['Hotel'])
})

test.each([
  ['Apartments', 'Apartment'],
  ['Hostel/Backpacker accommodation', 'Hostel'],
  ['Bed & breakfast', 'Bed and breakfast'],
  ['Bed and breakfasts', 'Bed and breakfast'],
  ['Holiday properties', 'Holiday property'],
  ['Business', 'Business'],
  ['', ''],
])('“%s” is shown as “%s”', (category, kind) => {
  expect(kindOf(category)).toBe(kind)
})
