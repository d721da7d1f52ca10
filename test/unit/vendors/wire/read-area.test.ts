import { expect, test } from 'vitest'
import type { Circle } from '../../../../src/lib/geo.ts'
import { nearestFirst, shrinkUntilComplete } from '../../../../src/vendors/wire/read-area.ts'

const CENTER = { lat: 48.85, lon: 2.35 }

/** A vendor with one property each kilometre from the middle, which sends at most `most` of a circle. */
async function readFrom(radiusKm: number, most: number) {
  const asked: number[] = []
  const all = Array.from({ length: 100 }, (_, km) => km)
  const read = await shrinkUntilComplete({ center: CENTER, radiusKm }, async (circle: Circle) => {
    asked.push(circle.radiusKm)
    const there = all.filter((km) => km <= circle.radiusKm)
    // The farthest come first, and the rest is left out.
    return { found: there.toReversed().slice(0, most), isComplete: there.length <= most }
  })
  return { ...read, asked }
}

test('a circle that the vendor tells whole is asked for once', async () => {
  const { circle, found, asked } = await readFrom(20, 50)
  expect([circle.radiusKm, found.length, asked]).toEqual([20, 21, [20]])
})

test('where the list is cut, a smaller circle is read of which nothing is missing', async () => {
  const { circle, found, asked } = await readFrom(20, 12)
  expect(asked).toEqual([20, 14, expect.closeTo(9.8)])
  expect(circle).toEqual({ center: CENTER, radiusKm: asked.at(-1) })
  expect(found.toReversed()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('a vendor that always cuts is asked for a kilometre at last, and no more', async () => {
  const { circle, asked } = await readFrom(20, 0)
  expect(circle.radiusKm).toBe(1)
  expect(asked.length).toBeLessThan(12)
})

test('the nearest come first, whether numbers or texts tell where they are, and those of unknown place last', () => {
  const items = [
    { id: 'nowhere' },
    { id: 'far', latitude: '48.95', longitude: '2.35' },
    { id: 'near', latitude: 48.86, longitude: 2.35 },
  ]
  expect(nearestFirst(items, CENTER).map(({ id }) => id)).toEqual(['near', 'far', 'nowhere'])
})
