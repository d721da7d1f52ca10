import { expect, test } from 'vitest'
import { circleAround } from '../../../src/lib/geo.ts'
import { RADIUS_KM } from '../../../src/search/schemas/search-request.ts'
import { AREA_RADIUS_KM, measureRadius } from '../../../web/src/map/bounds.ts'

test('the page knows the size of an area that the service accepts', () => {
  expect(AREA_RADIUS_KM).toEqual(RADIUS_KM)
})

test.each([
  { south: 38.6, west: -9.3, north: 38.9, east: -9 },
  { south: -1, west: 36, north: 0.5, east: 38 },
  { south: -37, west: 174, north: -36, east: 176 },
])('the page measures the radius of %j like the service', (box) => {
  expect(measureRadius(box) / circleAround(box).radiusKm).toBeCloseTo(1, 2)
})

test('a view of the whole world is too large', () => {
  expect(measureRadius({ south: -80, west: -400, north: 80, east: 320 })).toBeGreaterThan(AREA_RADIUS_KM.max)
})
