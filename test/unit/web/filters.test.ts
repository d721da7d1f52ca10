import { expect, test } from 'vitest'
import type { Summary } from '../../../web/src/api/shapes.ts'
import { amountOf, NO_FILTERS } from '../../../web/src/state/filters.ts'
import { listingOf } from '../../../web/src/state/listing.ts'

test.each([
  ['1,200', 1200],
  ['20.000', 20_000],
  ['1 200', 1200],
  ['1\u202f200', 1200],
  ['1’200', 1200],
  ['1,234,567.89', 1_234_567.89],
  ['1.234,5', 1234.5],
  ['99,90', 99.9],
  ['99.9', 99.9],
  ['1200', 1200],
  ['12000', 12_000],
  [' 80 ', 80],
  ['-5', undefined],
  ['', undefined],
  ['cheap', undefined],
])('a price limit typed as “%s” means %s', (text, amount) => {
  expect(amountOf(text)).toBe(amount)
})

const stay = (property_id: string, score: number, distance_km: number, total_price = 100) =>
  ({ property_id, score, distance_km, total_price }) as Summary

test('a property searched for by its name is the first of the recommended, also while others arrive', () => {
  const [named, better, best] = [stay('n', 0.2, 0, 900), stay('b', 0.6, 1.2), stay('c', 0.9, 0.01)]
  const ids = (found: readonly Summary[], sort: 'recommended' | 'price') =>
    listingOf([], found, NO_FILTERS, sort, 'fresh').shown.map(({ property_id }) => property_id)
  expect(ids([better, named], 'recommended')).toEqual(['n', 'b'])
  expect(ids([better, best, named], 'recommended')).toEqual(['n', 'c', 'b'])
  expect(ids([named, best, better], 'price')).toEqual(['b', 'c', 'n'])
})
