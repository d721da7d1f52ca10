import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceKm } from '../../../src/lib/geo.ts'
import { loadLocations } from '../../../src/locations/load-locations.ts'
import { aPlace, smallIndex } from './small-index.ts'

const index = loadLocations()

test.each([
  ['a hotel in Tornio, nearer to Haparanda’s church', 65.843, 24.14, 'FI', 'Europe/Helsinki'],
  ['the same spot, said to be Swedish', 65.843, 24.14, 'SE', 'Europe/Stockholm'],
  ['Elvas, across from Badajoz', 38.885, -7.03, 'PT', 'Europe/Lisbon'],
  ['Valença, across from Tui', 42.027, -8.633, 'PT', 'Europe/Lisbon'],
  ['Vila Real de Santo António, across from Ayamonte', 37.194, -7.415, 'PT', 'Europe/Lisbon'],
  ['Puerto Rico, where the vendor writes US', 18.466, -66.1, 'US', 'America/Puerto_Rico'],
  ['a code in small letters', 38.885, -7.03, 'pt', 'Europe/Lisbon'],
  ['no country at all', 48.85, 2.35, '', 'Europe/Paris'],
  ['a country that is none', 48.85, 2.35, 'XX', 'Europe/Paris'],
  ['beyond the date line', -16.8, -179.95, 'FJ', 'Pacific/Fiji'],
  ['far north', 78.22, 15.6, 'NO', 'Arctic/Longyearbyen'],
  ['the open ocean', -48, -123, '', undefined],
  ['no point at all', Number.NaN, Number.NaN, 'FR', undefined],
])('%s', (_, lat, lon, country, zone) => {
  expect(index.zoneAt({ lat, lon }, country)).toBe(zone)
})

test('it is the nearest city’s of the country, as a look at all of them finds it', () => {
  const coordinate = fc.record({
    lat: fc.double({ min: -85, max: 85, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  const cities = fc.array(fc.record({ point: coordinate, isFrench: fc.boolean() }), { minLength: 1, maxLength: 30 })
  const zones = ['Europe/Paris', 'Asia/Tokyo', 'America/Lima', 'Africa/Lagos']
  fc.assert(
    fc.property(cities, coordinate, (given, at) => {
      const places = given.map(({ point: { lat, lon }, isFrench }, n) => {
        const key = `geonames:${n + 1}`
        const timezone = zones[n % zones.length] as string
        return aPlace({
          name: `City ${n}`,
          importance: 5,
          key,
          lat,
          lon,
          timezone,
          countryCode: isFrench ? 'FR' : 'US',
        })
      })
      const small = smallIndex(places)
      const byDistance = Array.from({ length: small.count }, (_, row) => small.at(row))
        .map((place) => ({ ...place, km: distanceKm(place.point, at) }))
        .sort((a, b) => a.km - b.km)
      const nearest = byDistance.find(({ countryCode, km }) => countryCode === 'FR' && km < 250)
      const found = small.zoneAt(at, 'FR')
      const rival = byDistance.find(
        ({ countryCode, timezone, km }) =>
          countryCode === 'FR' && timezone !== nearest?.timezone && km < (nearest?.km ?? 0) * 1.2 + 30,
      )
      // Distances on a plane are good enough to tell the nearest, not to tell two that are about as near.
      if (nearest !== undefined && rival === undefined) expect(found).toBe(nearest.timezone)
      if (byDistance[0] !== undefined && byDistance[0].km < 500) expect(found).toBeDefined()
    }),
    { numRuns: 200 },
  )
})
