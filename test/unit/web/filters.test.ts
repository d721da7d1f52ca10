import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SearchResult, Summary } from '../../../web/src/api/shapes.ts'
import { de } from '../../../web/src/i18n/de.ts'
import { en } from '../../../web/src/i18n/en.ts'
import { NO_FILTERS, parseFilterQuery, parseTypedAmount, type Sort } from '../../../web/src/results/filters/filters.ts'
import { buildListing } from '../../../web/src/results/listing.ts'
import { findSearchedProperty } from '../../../web/src/results/searched-property.ts'

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
  expect(parseTypedAmount(text)).toBe(amount)
})

const stay = (property_id: string, score: number, distance_km: number, total_price = 100) =>
  ({ property_id, score, distance_km, total_price }) as Summary

const listIds = (found: readonly Summary[], sort: Sort, filters = NO_FILTERS, destination?: string) =>
  buildListing([], found, filters, sort, 'fresh', destination).shown.map(({ property_id }) => property_id)

test('a property searched for by name comes first in the recommended order, whatever else is at the same point', () => {
  const [named, better, best] = [stay('n', 0.2, 0, 900), stay('b', 0.6, 0), stay('c', 0.9, 0.01)]
  expect(listIds([better, named], 'recommended', NO_FILTERS, 'n')).toEqual(['n', 'b'])
  expect(listIds([better, best, named], 'recommended', NO_FILTERS, 'n')).toEqual(['n', 'c', 'b'])
  expect(listIds([named, best, better], 'price', NO_FILTERS, 'n')).toEqual(['b', 'c', 'n'])
  expect(listIds([named, best, better], 'recommended')).toEqual(['c', 'b', 'n'])
})

test('the property searched for is known while results arrive, and later reported by the service', () => {
  const found = new Map(['a', 'n', 'z'].map((id) => [id, stay(id, 0.5, id === 'z' ? 1 : 0)]))
  expect(findSearchedProperty('n', undefined, found)).toBe('n')
  expect(findSearchedProperty('other', undefined, found)).toBeUndefined()
  const reported = (property_id?: string) => ({ property_id }) as SearchResult['location']
  expect(findSearchedProperty('n', reported('z'), found)).toBe('z')
  expect(findSearchedProperty('n', reported(), found)).toBeUndefined()
})

test('unknown filters in a link are ignored', () => {
  const { filters } = parseFilterQuery(new URLSearchParams('board=breakfast,brunch&stars=4,4000000000,-1,x,0'))
  expect(filters).toMatchObject({ boards: ['breakfast'], stars: [4, 0] })
})

const PARTS: Readonly<Record<string, readonly [en: RegExp, de: RegExp]>> = {
  price: [/price/, /Preis/],
  rating: [/guest rating/, /Gästebewertung/],
  distance: [/distance/, /Entfernung/],
  stars: [/stars/, /Sterne/],
  flexible: [/free cancellation/, /kostenlos/],
}

test('the page names exactly the factors of the recommended order', () => {
  const ranking = readFileSync('docs/ranking.md', 'utf8')
  const names = [...ranking.matchAll(/^(?:score =| +\+) \d\.\d\d × (\w+)/gm)].map(([, name]) => name)
  expect(names).toEqual(Object.keys(PARTS))
  for (const [inEnglish, inGerman] of Object.values(PARTS)) {
    expect(en.how_we_sort_text).toMatch(inEnglish)
    expect(de.how_we_sort_text).toMatch(inGerman)
  }
  expect(en.how_we_sort_text + de.how_we_sort_text).not.toMatch(/number of reviews|Zahl der Bewertungen/)
})
