import { expect, test } from 'vitest'
import type { Summary } from '../../../web/src/api/shapes.ts'
import { normalizeChain } from '../../../web/src/property/property-names.ts'
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

test('the filter of kinds has codes, and names of kinds without a code', () => {
  const kinds = [
    ['guest_house', 'Guest houses'],
    ['guest_house', 'Guesthouse'],
    [null, 'Treehouse'],
  ] as const
  const found = kinds.map(([category_code, category]) => ({ ...stay(category, category), category_code }))
  expect([...countFilterOptions(found, NO_FILTERS).kinds]).toEqual([
    ['guest_house', 2],
    ['Treehouse', 1],
  ])
  const filters = { ...NO_FILTERS, kinds: ['guest_house'] }
  expect(found.filter((property) => passesFilters(property, filters))).toHaveLength(2)
})

test('different spellings of a chain are one option of the filter, which shows all of them', () => {
  const found = ['MARLOWICK', 'Marlowick', 'Marlowick Hotels', ''].map((chain, index) =>
    stay(`${index}`, 'Hotel', chain),
  )
  expect([...countFilterOptions(found, NO_FILTERS).chains]).toEqual([['Marlowick', 3]])
  const chains = { ...NO_FILTERS, chains: ['Marlowick'] }
  expect(found.filter((property) => passesFilters(property, chains))).toHaveLength(3)
})

test('a link with a vendor’s name of a chain filters by chain', () => {
  const { filters } = parseFilterQuery(new URLSearchParams('kind=hotel&chain=MARLOWICK'))
  expect(filters).toMatchObject({ kinds: ['hotel'], chains: ['Marlowick'] })
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
