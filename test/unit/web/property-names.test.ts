import { expect, test } from 'vitest'
import type { Summary } from '../../../web/src/api/shapes.ts'
import { normalizeChain, normalizeKind } from '../../../web/src/property/property-names.ts'
import { countFilterOptions } from '../../../web/src/results/filters/facets.ts'
import { NO_FILTERS, parseFilterQuery, passesFilters } from '../../../web/src/results/filters/filters.ts'

const stay = (property_id: string, category: string, chain = '') =>
  ({
    property_id,
    category,
    chain,
    star_rating: 3,
    total_price: 100,
    amenities: [],
    guest_rating: 4,
    board: 'room_only',
    distance_km: 1,
    name: property_id,
    free_cancellation: null,
  }) as unknown as Summary

test('different names of a kind are one option of the filter, which shows all of them', () => {
  const found = ['Guest house', 'Guest houses', 'Guesthouse', 'Hotel', 'Hotels'].map((name) => stay(name, name))
  expect([...countFilterOptions(found, NO_FILTERS).kinds]).toEqual([
    ['Guest house', 3],
    ['Hotel', 2],
  ])
  const kinds = { ...NO_FILTERS, kinds: ['Guest house'] }
  expect(found.filter((property) => passesFilters(property, kinds))).toHaveLength(3)
})

test('different spellings of a chain are one option of the filter, which shows all of them', () => {
  const found = ['MARLOWICK', 'Marlowick', 'Marlowick Hotels', ''].map((chain, index) =>
    stay(`${index}`, 'Hotel', chain),
  )
  expect([...countFilterOptions(found, NO_FILTERS).chains]).toEqual([['Marlowick', 3]])
  const chains = { ...NO_FILTERS, chains: ['Marlowick'] }
  expect(found.filter((property) => passesFilters(property, chains))).toHaveLength(3)
})

test('a link with names of one vendor filters by kind and chain', () => {
  const { filters } = parseFilterQuery(new URLSearchParams('kind=Hotels&kind=Hotel&chain=MARLOWICK'))
  expect(filters).toMatchObject({ kinds: ['Hotel'], chains: ['Marlowick'] })
})

test.each([
  ['NESTWELL EXPRESS', 'Nestwell Express'],
  ['Keyhold Residences Hotels & Resorts', 'Keyhold Residences'],
  ['QT HOTELS AND RESORTS', 'QT'],
  ['Hotels', 'Hotels'],
  ['', ''],
])('the chain “%s” is shown as “%s”', (chain, name) => {
  expect(normalizeChain(chain)).toBe(name)
})

test.each([
  ['Apartments', 'Apartment'],
  ['Hostel/Backpacker accommodation', 'Hostel'],
  ['Bed & breakfast', 'Bed and breakfast'],
  ['Bed and breakfasts', 'Bed and breakfast'],
  ['Holiday properties', 'Holiday property'],
  ['Business', 'Business'],
  ['', ''],
])('the kind “%s” is shown as “%s”', (category, kind) => {
  expect(normalizeKind(category)).toBe(kind)
})
