import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LocationIndex } from '../../../src/locations/location-index.ts'
import { createTestPlace, smallIndex } from './small-index.ts'

const listNames = (index: LocationIndex, text: string) =>
  index.search(text, 10).map((location) => location.name.split(',')[0])

test('of equally important places the exact name ranks first, then a prefix, then a later word', () => {
  const index = smallIndex([
    createTestPlace({ name: 'Old Bourg', importance: 4 }),
    createTestPlace({ name: 'Bourges', importance: 4 }),
    createTestPlace({ name: 'Bourg', importance: 4 }),
  ])
  expect(listNames(index, 'bourg')).toEqual(['Bourg', 'Bourges', 'Old Bourg'])
})

test('among equal matches, importance decides', () => {
  const index = smallIndex([
    createTestPlace({ name: 'Parga', importance: 4 }),
    createTestPlace({ name: 'Paris', importance: 9 }),
    createTestPlace({ name: 'Parma', importance: 6 }),
  ])
  expect(listNames(index, 'par')).toEqual(['Paris', 'Parma', 'Parga'])
})

test('a famous place ranks before a hamlet whose name is a prefix of it', () => {
  const index = smallIndex([
    createTestPlace({ name: 'Par', importance: 3.5 }),
    createTestPlace({ name: 'Paris', importance: 9 }),
  ])
  expect(listNames(index, 'par')).toEqual(['Paris', 'Par'])
})

test('an alias finds its place, after places that have the name itself', () => {
  const index = smallIndex([
    createTestPlace({ name: 'Changchun', importance: 5, aliases: ['Cancún'] }),
    createTestPlace({ name: 'Cancún', importance: 5.5, countryCode: 'US', lat: 21, lon: -86 }),
    createTestPlace({ name: 'Munich', importance: 7, aliases: ['Monaco di Baviera'] }),
  ])
  expect(listNames(index, 'cancun')).toEqual(['Cancún'])
  expect(listNames(index, 'monaco di b')).toEqual(['Munich'])
})

test('a place that matches by several names is listed once', () => {
  const index = smallIndex([
    createTestPlace({ name: 'Marrakesh', importance: 7, names: ['Marrakech'], aliases: ['Marrakesch'] }),
  ])
  expect(listNames(index, 'marrak')).toEqual(['Marrakesh'])
})

test('an airport code finds its airport, but a city whose name starts with it ranks first', () => {
  const airport = { type: 'airport', importance: 6, detail: 'Paris' } as const
  const index = smallIndex([
    createTestPlace({ ...airport, key: 'iata:CDG', name: 'Charles de Gaulle Airport', codes: ['CDG'] }),
    createTestPlace({ ...airport, key: 'iata:MAD', name: 'Barajas Airport', codes: ['MAD'], codeIsCityName: true }),
    createTestPlace({ name: 'Madrid', importance: 8 }),
  ])
  expect(listNames(index, 'cdg')).toEqual(['Charles de Gaulle Airport (CDG)'])
  expect(listNames(index, 'mad')).toEqual(['Madrid', 'Barajas Airport (MAD)'])
})

test('words after the name select by region or country, in any language', () => {
  const index = smallIndex([
    createTestPlace({ name: 'Paris', importance: 9, regionCode: 'FR.11' }),
    createTestPlace({ name: 'Paris', key: 'geonames:2', importance: 5, regionCode: 'US.TX', countryCode: 'US' }),
  ])
  const first = (text: string) => index.search(text, 5)[0]?.countryCode
  expect(first('paris')).toBe('FR')
  expect(first('paris texas')).toBe('US')
  expect(first('paris tx')).toBe('US')
  expect(first('paris usa')).toBe('US')
  expect(first('paris frankreich')).toBe('FR')
  expect(index.search('paris germany', 5)).toEqual([])
})

test('one typing error is tolerated only if nothing else matches', () => {
  const index = smallIndex([
    createTestPlace({ name: 'Barcelona', importance: 8 }),
    createTestPlace({ name: 'Barcelna', importance: 2 }),
  ])
  expect(listNames(index, 'barcelan')).toEqual(['Barcelona', 'Barcelna'])
  expect(listNames(index, 'barcelna')).toEqual(['Barcelna'])
  expect(listNames(index, 'bracleona')).toEqual([])
})

test('the limited ranking equals the start of a full sort, whatever the limit', () => {
  const place = fc.record({
    name: fc.stringMatching(/^[ab]{1,4}( [ab]{1,3})?$/),
    importance: fc.integer({ min: 2, max: 9 }),
  })
  const places = fc.uniqueArray(place, { minLength: 1, maxLength: 60, selector: ({ name }) => name })
  fc.assert(
    fc.property(places, fc.stringMatching(/^[ab]{1,3}$/), fc.integer({ min: 1, max: 20 }), (given, text, limit) => {
      const index = smallIndex(given.map((each, n) => createTestPlace({ ...each, key: `geonames:${n + 1}` })))
      const all = index.rank(text, 1000)
      expect(index.rank(text, limit)).toEqual(all.slice(0, limit))
      const matches = index.matches(text)
      expect(matches.length).toBe(all.length)
      expect(matches.slice()).toEqual(all)
      expect(matches.slice(limit, limit + 3)).toEqual(all.slice(limit, limit + 3))
      expect(matches.slice(0, 1)).toEqual(all.slice(0, 1))
      const matching = given.filter(({ name }) => name.split(' ').some((word) => word.startsWith(text)))
      if (matching.length > 0) expect(new Set(all).size).toBe(matching.length)
    }),
    { numRuns: 200 },
  )
})
