import { expect, test } from 'vitest'
import { findPlaceKind } from '../../../web/src/results/place-kind.ts'

const LISBON = { placeId: '2267057e-0000-4000-8000-000000000000', area: undefined }
const AREA = { south: 38, west: -9.5, north: 38.9, east: -9 }

test('stays are in a city and near a landmark, which is known at the end of the search', () => {
  expect(findPlaceKind(LISBON, undefined)).toBeUndefined()
  expect(findPlaceKind(LISBON, { type: 'city' })).toBe('area')
  expect(findPlaceKind(LISBON, { type: 'landmark' })).toBe('point')
})

test('stays are near a property, and the stays of an area of the map are near its place', () => {
  expect(findPlaceKind({ ...LISBON, placeId: 'prp_0' }, undefined)).toBe('point')
  expect(findPlaceKind({ ...LISBON, area: AREA }, { type: 'city' })).toBe('point')
})
