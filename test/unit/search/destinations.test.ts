import { expect, test } from 'vitest'
import type { NamedPlace } from '../../../src/catalogue/names/describe-named.ts'
import { PropertyNames } from '../../../src/catalogue/names/property-names.ts'
import { createDestinations } from '../../../src/search/destinations.ts'
import { createTestPlace, smallIndex } from '../locations/small-index.ts'

const HOTELS: readonly (readonly [name: string, town: string, countryCode: string])[] = [
  ['Hotel Adlon Kempinski', 'Berlin', 'DE'],
  ['Hotel Ritz', 'Paris', 'FR'],
  ['Hotel Ritz', 'Paris', 'US'],
]

function find(text: string): Promise<string[]> {
  const names = new PropertyNames()
  const described = new Map<string, NamedPlace>()
  for (const [name, town, countryCode] of HOTELS) {
    const propertyId = `${name} ${countryCode}`
    names.put({ propertyId, names: [name], town, starRating: 5 })
    described.set(propertyId, { propertyId, name, town, countryCode, point: { lat: 48, lon: 2 } })
  }
  const places = smallIndex([
    createTestPlace({ name: 'Paris', importance: 9 }),
    createTestPlace({ name: 'Arlon', importance: 5 }),
    createTestPlace({ name: 'Adlaon', importance: 3 }),
  ])
  const destinations = createDestinations(places, {
    names,
    named: async () => described,
    property: async () => undefined,
    refresh: async () => undefined,
    namesSettled: async () => undefined,
  })
  return destinations.matches(text, false).then((found) => found.slice().map((match) => destinations.at(match).name))
}

test('a property with the exact word ranks before places with a similar spelling', async () => {
  expect(await find('adlon')).toEqual(['Hotel Adlon Kempinski, Berlin, DE', 'Arlon, France', 'Adlaon, France'])
})

test.each(['Hotel Ritz, Paris, France', 'hotel ritz, paris, fran'])(
  'a property is found by its displayed name: %s',
  async (text) => {
    expect(await find(text)).toEqual(['Hotel Ritz, Paris, France'])
  },
)

test('a property is not found with the name of another country', async () => {
  expect(await find('Hotel Ritz, Paris, Germany')).toEqual([])
})
