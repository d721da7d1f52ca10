import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Box, circleAround, circleWithin, distanceKm, isInBox } from '../../../src/lib/geo.ts'

const box: fc.Arbitrary<Box> = fc
  .record({
    south: fc.double({ min: -85, max: 84, noNaN: true }),
    west: fc.double({ min: -180, max: 180, noNaN: true }),
    height: fc.double({ min: 0.01, max: 1, noNaN: true }),
    width: fc.double({ min: 0.01, max: 1, noNaN: true }),
  })
  .map(({ south, west, height, width }) => {
    const east = west + width
    return { south, west, north: south + height, east: east > 180 ? east - 360 : east }
  })
const share = fc.double({ min: 0, max: 1, noNaN: true })

/** Point of the box at these fractions of its height and width. */
function pointIn({ south, west, north, east }: Box, up: number, along: number) {
  const lon = west + along * (east >= west ? east - west : east - west + 360)
  return { lat: Math.min(north, south + up * (north - south)), lon: lon > 180 ? lon - 360 : lon }
}

test('every point of a box is inside it and in the circle around it, also across the 180th meridian', () => {
  fc.assert(
    fc.property(box, share, share, (given, up, along) => {
      const point = pointIn(given, up, Math.min(along, 0.999_999))
      const { center, radiusKm } = circleAround(given)
      expect(isInBox(given, point)).toBe(true)
      expect(isInBox(given, center)).toBe(true)
      expect(distanceKm(center, point)).toBeLessThanOrEqual(radiusKm + 0.001)
    }),
  )
})

test('a point outside the box is not in it', () => {
  const fiji = { south: -17, west: 179.8, north: -16.6, east: -179.9 }
  expect(isInBox(fiji, { lat: -16.8, lon: 179.9 })).toBe(true)
  expect(isInBox(fiji, { lat: -16.8, lon: -179.95 })).toBe(true)
  expect(isInBox(fiji, { lat: -16.8, lon: 0 })).toBe(false)
  expect(isInBox(fiji, { lat: -16.5, lon: 180 })).toBe(false)
  expect(isInBox({ south: 1, west: 1, north: 2, east: 2 }, { lat: 1.5, lon: 2.1 })).toBe(false)
})

test('the circle within a box does not exceed it', () => {
  const { center, radiusKm } = circleWithin({ south: 48.8, west: 2.2, north: 48.9, east: 2.6 })
  expect(center.lat).toBeCloseTo(48.85)
  expect(center.lon).toBeCloseTo(2.4)
  expect(radiusKm).toBeCloseTo(5.56, 1)
})
