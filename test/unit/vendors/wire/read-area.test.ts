import { expect, test } from 'vitest'
import type { Circle } from '../../../../src/lib/geo.ts'
import { nearestFirst, shrinkUntilComplete } from '../../../../src/vendors/wire/read-area.ts'

const CENTER = { lat: 48.85, lon: 2.35 }

/** Vendor with one property per kilometre from the center, which returns at most `limit` of a circle. */
async function readFrom(radiusKm: number, limit: number) {
  const requestedRadii: number[] = []
  const all = Array.from({ length: 100 }, (_, km) => km)
  const read = await shrinkUntilComplete({ center: CENTER, radiusKm }, async (circle: Circle) => {
    requestedRadii.push(circle.radiusKm)
    const inCircle = all.filter((km) => km <= circle.radiusKm)
    // The farthest come first, and the rest is truncated.
    return { found: inCircle.toReversed().slice(0, limit), isComplete: inCircle.length <= limit }
  })
  return { ...read, requestedRadii }
}

test('a complete circle is requested once', async () => {
  const { circle, found, requestedRadii } = await readFrom(20, 50)
  expect([circle.radiusKm, found.length, requestedRadii]).toEqual([20, 21, [20]])
})

test('a truncated list leads to a smaller, complete circle', async () => {
  const { circle, found, requestedRadii } = await readFrom(20, 12)
  expect(requestedRadii).toEqual([20, 14, expect.closeTo(9.8)])
  expect(circle).toEqual({ center: CENTER, radiusKm: requestedRadii.at(-1) })
  expect(found.toReversed()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('the circle never shrinks below a radius of one kilometre', async () => {
  const { circle, requestedRadii } = await readFrom(20, 0)
  expect(circle.radiusKm).toBe(1)
  expect(requestedRadii.length).toBeLessThan(12)
})

test('items are sorted by distance with numeric or text coordinates, and items without coordinates come last', () => {
  const items = [
    { id: 'nowhere' },
    { id: 'far', latitude: '48.95', longitude: '2.35' },
    { id: 'near', latitude: 48.86, longitude: 2.35 },
  ]
  expect(nearestFirst(items, CENTER).map(({ id }) => id)).toEqual(['near', 'far', 'nowhere'])
})
