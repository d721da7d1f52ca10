import { expect, test } from 'vitest'
import { makeLocationId } from '../../../src/locations/location-id.ts'

test('location ids never change', () => {
  expect(makeLocationId('geonames:2988507')).toBe('816f4573-b1d7-5e04-8d54-26287a66e949')
  expect(makeLocationId('iata:JFK')).toBe('66d9fbc6-b4e1-54b9-958c-5482c7d7232d')
})
