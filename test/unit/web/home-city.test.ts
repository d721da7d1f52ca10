import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SUGGESTED_PLACES } from '../../../src/compose/vendors.ts'
import { loadLocations } from '../../../src/locations/load-locations.ts'
import { homeCity, IDEAS, NEAR } from '../../../web/src/home/home-city.ts'
import { de } from '../../../web/src/i18n/de.ts'
import { en } from '../../../web/src/i18n/en.ts'

test('the service preloads the destinations that the page and the documentation suggest', () => {
  const suggested = [homeCity('UTC'), ...IDEAS.map((idea) => en[`idea_${idea}`]), ...Object.values(NEAR)]
  expect(new Set(SUGGESTED_PLACES)).toEqual(new Set([...suggested, 'Barcelona', 'Zermatt']))
  expect(readFileSync('README.md', 'utf8')).toContain('starts_with=barcel')
  expect(readFileSync('docs/shop.md', 'utf8')).toContain('value="zermatt"')
})

test('each preloaded destination is found as a city', () => {
  const locations = loadLocations()
  for (const name of SUGGESTED_PLACES) expect(locations.search(name, 1), name).toMatchObject([{ type: 'city' }])
  for (const idea of IDEAS)
    expect(locations.search(de[`idea_${idea}`], 1), idea).toEqual(locations.search(en[`idea_${idea}`], 1))
})
