import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Location } from '../../../src/domain/location.ts'
import { loadLocations } from '../../../src/locations/load-locations.ts'

type Labelled = { readonly query: string; readonly names: readonly string[]; readonly countries: readonly string[] }

const ROOT = join(import.meta.dirname, '../../..')
const index = loadLocations(join(ROOT, 'data/locations.bin.zst'))
const labelled: Labelled[] = JSON.parse(readFileSync(join(ROOT, 'test/fixtures/location-queries.json'), 'utf8'))

const isMeant = (location: Location, { names, countries }: Labelled) =>
  names.includes(location.name.split(/,| \(/)[0] ?? '') && countries.includes(location.countryCode)

test('people find what they mean: first in 95 of 100 queries, among the first five in 99', () => {
  const places = labelled.map((label) => index.search(label.query, 5).findIndex((found) => isMeant(found, label)))
  for (const [at, place] of places.entries()) {
    const label = labelled[at]
    if (place === 0 || label === undefined) continue
    const got = index.search(label.query, 3).map(({ name }) => name)
    console.log(`"${label.query}" should give ${label.names.join(' or ')}, gives ${got.join(' · ') || 'nothing'}`)
  }
  expect(labelled.length).toBeGreaterThanOrEqual(250)
  expect(places.filter((place) => place === 0).length / labelled.length).toBeGreaterThanOrEqual(0.95)
  expect(places.filter((place) => place >= 0).length / labelled.length).toBeGreaterThanOrEqual(0.99)
})
