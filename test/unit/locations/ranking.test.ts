import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LocationIndex } from '../../../src/locations/location-index.ts'
import { aPlace, smallIndex } from './small-index.ts'

const namesOf = (index: LocationIndex, text: string) =>
  index.search(text, 10).map((location) => location.name.split(',')[0])

test('of equal places the exact name comes first, then its beginning, then a later word', () => {
  const index = smallIndex([
    aPlace({ name: 'Old Bourg', importance: 4 }),
    aPlace({ name: 'Bourges', importance: 4 }),
    aPlace({ name: 'Bourg', importance: 4 }),
  ])
  expect(namesOf(index, 'bourg')).toEqual(['Bourg', 'Bourges', 'Old Bourg'])
})

test('among places that match alike, importance decides', () => {
  const index = smallIndex([
    aPlace({ name: 'Parga', importance: 4 }),
    aPlace({ name: 'Paris', importance: 9 }),
    aPlace({ name: 'Parma', importance: 6 }),
  ])
  expect(namesOf(index, 'par')).toEqual(['Paris', 'Parma', 'Parga'])
})

test('a famous place comes before a hamlet that happens to be called like the beginning of it', () => {
  const index = smallIndex([aPlace({ name: 'Par', importance: 3.5 }), aPlace({ name: 'Paris', importance: 9 })])
  expect(namesOf(index, 'par')).toEqual(['Paris', 'Par'])
})

test('an alias finds its place, after places that really have the name', () => {
  const index = smallIndex([
    aPlace({ name: 'Changchun', importance: 5, aliases: ['Cancún'] }),
    aPlace({ name: 'Cancún', importance: 5.5, countryCode: 'US', lat: 21, lon: -86 }),
    aPlace({ name: 'Munich', importance: 7, aliases: ['Monaco di Baviera'] }),
  ])
  expect(namesOf(index, 'cancun')).toEqual(['Cancún'])
  expect(namesOf(index, 'monaco di b')).toEqual(['Munich'])
})

test('a place that several of its names lead to is listed once', () => {
  const index = smallIndex([
    aPlace({ name: 'Marrakesh', importance: 7, names: ['Marrakech'], aliases: ['Marrakesch'] }),
  ])
  expect(namesOf(index, 'marrak')).toEqual(['Marrakesh'])
})

test('a code finds its airport at once, but leads to the city whose name it begins', () => {
  const airport = { type: 'airport', importance: 6, detail: 'Paris' } as const
  const index = smallIndex([
    aPlace({ ...airport, key: 'iata:CDG', name: 'Charles de Gaulle Airport', codes: ['CDG'] }),
    aPlace({ ...airport, key: 'iata:MAD', name: 'Barajas Airport', codes: ['MAD'], codeIsCityName: true }),
    aPlace({ name: 'Madrid', importance: 8 }),
  ])
  expect(namesOf(index, 'cdg')).toEqual(['Charles de Gaulle Airport (CDG)'])
  expect(namesOf(index, 'mad')).toEqual(['Madrid', 'Barajas Airport (MAD)'])
})

test('words after the name choose by region or country, in any of its languages', () => {
  const index = smallIndex([
    aPlace({ name: 'Paris', importance: 9, regionCode: 'FR.11' }),
    aPlace({ name: 'Paris', key: 'geonames:2', importance: 5, regionCode: 'US.TX', countryCode: 'US' }),
  ])
  const first = (text: string) => index.search(text, 5)[0]?.countryCode
  expect(first('paris')).toBe('FR')
  expect(first('paris texas')).toBe('US')
  expect(first('paris tx')).toBe('US')
  expect(first('paris usa')).toBe('US')
  expect(first('paris frankreich')).toBe('FR')
  expect(index.search('paris germany', 5)).toEqual([])
})

test('one slip is forgiven when nothing else matches, and only then', () => {
  const index = smallIndex([aPlace({ name: 'Barcelona', importance: 8 }), aPlace({ name: 'Barcelna', importance: 2 })])
  expect(namesOf(index, 'barcelan')).toEqual(['Barcelona', 'Barcelna'])
  expect(namesOf(index, 'barcelna')).toEqual(['Barcelna'])
  expect(namesOf(index, 'bracleona')).toEqual([])
})

test('best-first order is the order of a full sort, whatever the limit', () => {
  const place = fc.record({
    name: fc.stringMatching(/^[ab]{1,4}( [ab]{1,3})?$/),
    importance: fc.integer({ min: 2, max: 9 }),
  })
  const places = fc.uniqueArray(place, { minLength: 1, maxLength: 60, selector: ({ name }) => name })
  fc.assert(
    fc.property(places, fc.stringMatching(/^[ab]{1,3}$/), fc.integer({ min: 1, max: 20 }), (given, text, limit) => {
      const index = smallIndex(given.map((each, n) => aPlace({ ...each, key: `geonames:${n + 1}` })))
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
