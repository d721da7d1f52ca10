import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uuidV5 } from '../../../src/lib/ids.ts'
import { LOCATION_NAMESPACE, locationId } from '../../../src/locations/location-id.ts'

test('a location id is the UUIDv5 of the source key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (key) => {
      expect(locationId(key)).toBe(uuidV5(LOCATION_NAMESPACE, key))
    }),
  )
})

test('ids given out once stay', () => {
  expect(locationId('geonames:2988507')).toBe('816f4573-b1d7-5e04-8d54-26287a66e949')
  expect(locationId('iata:JFK')).toBe('66d9fbc6-b4e1-54b9-958c-5482c7d7232d')
})
