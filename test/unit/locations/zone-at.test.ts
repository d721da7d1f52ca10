import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceKm } from '../../../src/lib/geo.ts'
import { loadLocations } from '../../../src/locations/load-locations.ts'
import { createTestPlace, smallIndex } from './small-index.ts'

const index = loadLocations()

test.each([
  ['a hotel in Tornio, nearer to Haparanda’s church', 65.843, 24.14, 'FI', 'Europe/Helsinki'],
  ['the same point with the country code SE', 65.843, 24.14, 'SE', 'Europe/Stockholm'],
  ['Elvas, across from Badajoz', 38.885, -7.03, 'PT', 'Europe/Lisbon'],
  ['Valença, across from Tui', 42.027, -8.633, 'PT', 'Europe/Lisbon'],
  ['Vila Real de Santo António, across from Ayamonte', 37.194, -7.415, 'PT', 'Europe/Lisbon'],
  ['Puerto Rico with the country code US', 18.466, -66.1, 'US', 'America/Puerto_Rico'],
  ['a country code in lower case', 38.885, -7.03, 'pt', 'Europe/Lisbon'],
  ['a point without a country', 48.85, 2.35, '', 'Europe/Paris'],
  ['an unknown country', 48.85, 2.35, 'XX', 'Europe/Paris'],
  ['a point beyond the date line', -16.8, -179.95, 'FJ', 'Pacific/Fiji'],
  ['a point in the far north', 78.22, 15.6, 'NO', 'Arctic/Longyearbyen'],
  ['the open ocean', -48, -123, '', undefined],
  ['an invalid point', Number.NaN, Number.NaN, 'FR', undefined],
])('the time zone is found for %s', (_, lat, lon, country, zone) => {
  expect(index.zoneAt({ lat, lon }, country)).toBe(zone)
})

test('the time zone is that of the nearest city of the country, as a full scan finds it', () => {
  const coordinate = fc.record({
    lat: fc.double({ min: -85, max: 85, noNaN: true }),
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
  })
  const cities = fc.array(fc.record({ point: coordinate, isFrench: fc.boolean() }), { minLength: 1, maxLength: 30 })
  const zones = ['Europe/Paris', 'Asia/Tokyo', 'America/Lima', 'Africa/Lagos']
  fc.assert(
    fc.property(cities, coordinate, (given, target) => {
      const places = given.map(({ point: { lat, lon }, isFrench }, n) => {
        const key = `geonames:${n + 1}`
        const timezone = zones[n % zones.length] as string
        return createTestPlace({
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
        .map((place) => ({ ...place, km: distanceKm(place.point, target) }))
        .sort((a, b) => a.km - b.km)
      const nearest = byDistance.find(({ countryCode, km }) => countryCode === 'FR' && km < 250)
      const found = small.zoneAt(target, 'FR')
      const rival = byDistance.find(
        ({ countryCode, timezone, km }) =>
          countryCode === 'FR' && timezone !== nearest?.timezone && km < (nearest?.km ?? 0) * 1.2 + 30,
      )
      // Planar distances cannot distinguish two cities that are about equally near.
      if (nearest !== undefined && rival === undefined) expect(found).toBe(nearest.timezone)
      if (byDistance[0] !== undefined && byDistance[0].km < 500) expect(found).toBeDefined()
    }),
    { numRuns: 200 },
  )
})
