import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEarthGrid } from '../../../src/catalogue/index/earth-grid.ts'
import { distanceKm } from '../../../src/lib/geo.ts'

const point = fc.record({
  lat: fc.double({ min: -89, max: 89, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
})

describe('the grid over the earth', () => {
  const grid = createEarthGrid(0.1)

  test('every point of a circle lies in a cell that the circle touches', () => {
    fc.assert(
      fc.property(
        point,
        fc.double({ min: 0.1, max: 60, noNaN: true }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        (center, radiusKm, share, bearing) => {
          const inside = movedBy(center, radiusKm * share, bearing)
          const cells = grid.touching({ center, radiusKm }, Number.POSITIVE_INFINITY) ?? []
          expect(distanceKm(center, inside) > radiusKm || cells.includes(grid.findCell(inside))).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('a circle over the antimeridian touches cells on both sides', () => {
    const cells = grid.touching({ center: { lat: -17, lon: 179.99 }, radiusKm: 20 }, 1_000) ?? []
    expect(cells).toContain(grid.findCell({ lat: -17, lon: 179.95 }))
    expect(cells).toContain(grid.findCell({ lat: -17, lon: -179.95 }))
  })

  test('a circle over a pole touches the cells of every longitude', () => {
    const cells = grid.touching({ center: { lat: 89.9, lon: 10 }, radiusKm: 60 }, 10_000) ?? []
    for (const lon of [-170, -90, 0, 90, 170]) expect(cells).toContain(grid.findCell({ lat: 89.8, lon }))
  })

  test('no point of a cell is farther away than its farthest corner', () => {
    fc.assert(
      fc.property(point, point, (place, from) => {
        const near = { lat: Math.max(-89, Math.min(89, place.lat + from.lat / 900)), lon: place.lon }
        expect(distanceKm(near, place)).toBeLessThanOrEqual(grid.farthestKm(grid.findCell(place), near) + 0.01)
      }),
    )
  })

  test('a circle with too many cells gives undefined instead of a huge list', () => {
    expect(grid.touching({ center: { lat: 0, lon: 0 }, radiusKm: 2_000 }, 500)).toBeUndefined()
  })
})

function movedBy({ lat, lon }: { lat: number; lon: number }, km: number, bearing: number) {
  const angle = km / 6371.0088
  const phi = (lat * Math.PI) / 180
  const to = Math.asin(Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing))
  const turn = Math.atan2(
    Math.sin(bearing) * Math.sin(angle) * Math.cos(phi),
    Math.cos(angle) - Math.sin(phi) * Math.sin(to),
  )
  const moved = lon + (turn * 180) / Math.PI
  return { lat: (to * 180) / Math.PI, lon: ((((moved + 180) % 360) + 360) % 360) - 180 }
}
