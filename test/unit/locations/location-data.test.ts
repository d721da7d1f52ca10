import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOCATION_TYPES } from '../../../src/domain/property/location.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { createLocationIndex, readCityPlaces } from '../../../src/locations/location-index.ts'
import { startStopwatch } from '../../support/time/measure.ts'

const DATA = join(import.meta.dirname, '../../../data')
const manifest = JSON.parse(readFileSync(join(DATA, 'locations.manifest.json'), 'utf8'))
const packed = readFileSync(join(DATA, manifest.file))
const unpacked = zstdDecompressSync(packed)
const index = createLocationIndex(unpacked)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const rows = Array.from({ length: index.count }, (_, row) => row)
const all = rows.map((row) => index.at(row))
const sample = rows.filter((row) => row % 97 === 0)

test('the committed file matches its manifest', () => {
  expect(packed.length).toBe(manifest.bytes)
  expect(packed.length).toBeLessThanOrEqual(8_000_000)
  expect(sha256(packed)).toBe(manifest.sha256)
  expect(sha256(unpacked)).toBe(manifest.unpackedSha256)
})

test('the file has as many places of each type as recorded, and at least 220,000', () => {
  const places = LOCATION_TYPES.filter((type) => type !== 'property')
  const counts = Object.fromEntries(places.map((type) => [type, 0]))
  for (const { type } of all) counts[type] = (counts[type] ?? 0) + 1
  expect(counts).toEqual(manifest.counts)
  expect(index.count).toBe(manifest.places)
  expect(index.count).toBeGreaterThanOrEqual(220_000)
})

test('every place has a name, country, point, radius and existing time zone', () => {
  const zones = new Set<string>()
  for (const { id, name, countryCode, point, radiusKm, timezone } of all) {
    if (name === '' || !/^[A-Z]{2}$/.test(countryCode) || radiusKm <= 0) expect.fail(`${id}: ${name}`)
    if (Math.abs(point.lat) > 90 || Math.abs(point.lon) > 180) expect.fail(`${name} is off the globe`)
    zones.add(timezone)
  }
  for (const zone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow()
})

test('no two places have the same name', () => {
  const names = new Set(all.map(({ name }) => name))
  expect(names.size).toBe(index.count)
})

test('names include the hierarchy, and those of airports also their code and city', () => {
  expect(index.search('nice', 1)[0]?.name).toBe("Nice, Provence-Alpes-Côte d'Azur, France")
  expect(index.search('st moritz', 1)[0]?.name).toBe('St. Moritz, Grisons, Switzerland')
  expect(index.search('ho chi minh', 1)[0]?.name).toBe('Ho Chi Minh City, Ho Chi Minh, Vietnam')
  const airport = index.search('jfk', 1)[0]
  expect(airport?.name).toBe('John F Kennedy International Airport (JFK), New York, United States')
  expect(airport?.iata).toBe('JFK')
  expect(airport?.timezone).toBe('America/New_York')
})

test('every id finds its place, and any other id finds none', () => {
  for (const row of sample) expect(index.byId(index.at(row).id)).toEqual(index.at(row))
  const id = index.at(0).id
  expect(index.byId(id.toUpperCase())?.id).toBe(id)
  expect(index.byId('00000000-0000-5000-8000-000000000000')).toBeUndefined()
  expect(index.byId('not an id')).toBeUndefined()
})

test('a complete name finds its place among its namesakes', () => {
  const lost = sample.filter((row) => {
    const name = index.at(row).name.split(/,| \(/)[0] ?? ''
    return !index.rank(name, 1000).includes(row)
  })
  expect(lost.map((row) => index.at(row).name)).toEqual([])
})

test('countries and large regions are marked as too large to search, and small states are not', () => {
  const only = (text: string, type: string) => index.search(text, 10).find((location) => location.type === type)
  expect(only('france', 'country')?.isTooLarge).toBe(true)
  expect(only('texas', 'region')?.isTooLarge).toBe(true)
  for (const small of ['monaco', 'singapore', 'malta', 'luxembourg']) {
    expect(only(small, 'country')?.isTooLarge, small).toBe(false)
  }
  expect(only('paris', 'city')?.isTooLarge).toBe(false)
})

test('nearby returns the most important places of the given types within the radius', () => {
  const paris = { lat: 48.8566, lon: 2.3522 }
  const found = index.nearby(paris, 30, ['city', 'airport'], 20)
  expect(found[0]?.name).toBe('Paris, Île-de-France, France')
  expect(found).toHaveLength(20)
  expect(found.every(({ type }) => type === 'city' || type === 'airport')).toBe(true)
  expect(found.every(({ point }) => distanceKm(paris, point) <= 30)).toBe(true)
  expect(index.nearby({ lat: -52, lon: -179.9 }, 50, ['city'], 5)).toEqual([])
})

test('nearby works across the date line', () => {
  const found = index.nearby({ lat: -16.8, lon: 179.99 }, 60, ['area'], 5)
  expect(found.map(({ name }) => name.split(',')[0])).toContain('Taveuni')
})

test('city places for the sandbox have unique GeoNames ids below 2^24', () => {
  const ids = new Set<number>()
  let count = 0
  for (const place of readCityPlaces(unpacked)) {
    count++
    ids.add(place.sourceId)
    if (place.sourceId >= 2 ** 24 || place.name === '' || place.countryName === '') expect.fail(JSON.stringify(place))
  }
  expect(ids.size).toBe(count)
  expect(count).toBeGreaterThan(190_000)
})

test('no text makes a search throw or take long', () => {
  const hostile = [
    'x'.repeat(1_000_000),
    'st '.repeat(300_000),
    '\u0301'.repeat(100_000),
    '👩‍👩‍👧‍👦'.repeat(10_000),
    '\u202eسيراب'.repeat(1000),
    '\0\0\0',
    'a\0b',
    '\ud800\udc00\ud800',
    '%_\\\'";--',
    '()*+?[](){}^$',
    ' ',
    '',
  ]
  for (const text of hostile) {
    const readMs = startStopwatch()
    const found = index.search(text, 10)
    expect(found.length).toBeLessThanOrEqual(10)
    expect(readMs(), text.slice(0, 20)).toBeLessThan(500)
  }
})

test('of the texts that visitors type, nineteen of twenty need less than 50 ms', () => {
  const typed = sample
    .filter((_, place) => place % 20 === 0)
    .flatMap((row) => {
      const { name } = index.at(row)
      return [3, 5, name.length].map((length) => name.slice(0, length))
    })
  const times = typed.map((text) => {
    const readMs = startStopwatch()
    index.search(text, 8)
    return readMs()
  })
  expect(times.length).toBeGreaterThan(300)
  expect(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]).toBeLessThan(50)
})

test('any text and any limit return at most that many different places', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.stringMatching(/^[a-z]{1,4}( [a-z]{1,5})?$/))
  const limit = fc.oneof(fc.integer({ min: -5, max: 2000 }), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY))
  fc.assert(
    fc.property(text, limit, (given, max) => {
      const found = index.rank(given, max)
      expect(new Set(found).size).toBe(found.length)
      expect(found.length).toBeLessThanOrEqual(max > 0 ? Math.min(max, 1000) : 0)
    }),
    { numRuns: 500 },
  )
}, 60_000)

test('the first ten are the start of the full ranking, for names, prefixes and names with a country', () => {
  for (const text of ['san', 'par', 'san jose', 'paris t', 'lake z', 'london uk', 'rio brazil', 'st m', 'barcelna']) {
    const all = index.matches(text).slice()
    expect(index.rank(text, 10)).toEqual(all.slice(0, 10))
    expect(index.matches(text).length).toBe(all.length)
  }
})
