import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Location } from '../../../src/domain/property/location.ts'
import { loadLocations } from '../../../src/locations/load-locations.ts'

type Labelled = { readonly query: string; readonly names: readonly string[]; readonly countries: readonly string[] }

const ROOT = join(import.meta.dirname, '../../..')
const index = loadLocations()
const readLabelled = (file: string): Labelled[] => JSON.parse(readFileSync(join(ROOT, 'test/fixtures', file), 'utf8'))

const isMeant = (location: Location, { names, countries }: Labelled) =>
  names.includes(location.name.split(/,| \(/)[0] ?? '') && countries.includes(location.countryCode)

/** Shares of queries whose intended place is first and among the first five. Prints the others. */
function measureShares(labelled: readonly Labelled[]) {
  const places = labelled.map((label) => index.search(label.query, 5).findIndex((found) => isMeant(found, label)))
  for (const [labelIndex, place] of places.entries()) {
    const label = labelled[labelIndex]
    if (place === 0 || label === undefined) continue
    const got = index.search(label.query, 3).map(({ name }) => name)
    console.log(`"${label.query}": expected ${label.names.join(' or ')}, found ${got.join(' · ') || 'nothing'}`)
  }
  return {
    first: places.filter((place) => place === 0).length / labelled.length,
    amongFive: places.filter((place) => place >= 0).length / labelled.length,
  }
}

test.each([
  ['in Latin letters', 'location-queries.json', 250],
  ['in Chinese, Japanese and Korean', 'location-queries-east-asian.json', 200],
])('queries %s find the intended place first in 95 %% and among the first five in 99 %%', (_, file, minimum) => {
  const labelled = readLabelled(file)
  expect(labelled.length).toBeGreaterThanOrEqual(minimum)
  const { first, amongFive } = measureShares(labelled)
  expect(first).toBeGreaterThanOrEqual(0.95)
  expect(amongFive).toBeGreaterThanOrEqual(0.99)
})

test('a place is found by its displayed name, even without the last character', () => {
  const missed: string[] = []
  for (let row = 0; row < 1_000; row += 1) {
    const { id, name } = index.at(row)
    for (const text of [name, name.slice(0, -1)])
      if (!index.search(text, 10).some((found) => found.id === id)) missed.push(text)
  }
  expect(missed).toEqual([])
  expect(index.search('Paris, Île-de-France, France', 1)[0]?.name).toBe('Paris, Île-de-France, France')
  expect(index.search('Provence-Alpes-Côte d’Azur, France', 1)[0]?.type).toBe('region')
  const airport = 'Charles de Gaulle International Airport (CDG), Paris, France'
  expect(index.search(airport, 1)[0]?.name).toBe(airport)
})

test.each(['ciudad de', 'thi tra', 'santiago d', 'san jose c'])('pages of “%s” are parts of one list', (text) => {
  const all = index.matches(text).slice()
  for (let start = 0; start < 60; start += 10)
    expect(index.matches(text).slice(start, start + 10)).toEqual(all.slice(start, start + 10))
})

test.each(['ΘΕΣ', 'ΘΕΣΣ', 'Θεσσαλονίκ'])('Greek capitals find the same place as lower case: %s', (text) => {
  expect(index.search(text, 1)[0]?.name).toMatch(/^Thessaloniki/)
})

test.each([
  ['barcelna spain', 'Barcelona, Catalonia, Spain'],
  ['hotels in barcelna', 'Barcelona, Catalonia, Spain'],
  ['new yrok usa', 'New York City, New York, United States'],
  ['münchn deutschland', 'Munich, Bavaria, Germany'],
  ['paris frnace', 'Paris, Île-de-France, France'],
  ['san francsico california', 'San Francisco, California, United States'],
])('a typing error in one of several words is tolerated: %s', (text, name) => {
  expect(index.search(text, 1)[0]?.name).toBe(name)
})

test.each([
  ['Singapur', 'Singapore, Singapore'],
  ['França', 'France'],
  ['Włochy', 'Italy'],
  ['Tchéquie', 'Czechia'],
])('the name of a country in another language ranks before a town of that name: %s', (text, name) => {
  expect(index.search(text, 1)[0]?.name).toBe(name)
})
