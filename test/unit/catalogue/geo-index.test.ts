import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GeoIndex } from '../../../src/catalogue/index/geo-index.ts'
import { derivePropertyId } from '../../../src/catalogue/properties/property-id.ts'
import { circleAround, distanceKm, isInBox } from '../../../src/lib/geo.ts'

const entry = (n: number, point: { lat: number; lon: number }) => ({
  propertyId: derivePropertyId('v', String(n)),
  point,
  vendors: [
    { vendorId: 'v', vendorPropertyId: String(n) },
    { vendorId: 'w', vendorPropertyId: `é-${n}` },
  ],
})

describe('the geo index', () => {
  test('the geo index finds the same properties as a full scan, whatever is in the tree or the tail', async () => {
    const near = fc.record({
      lat: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
      lon: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    })
    const center = fc.constantFrom({ lat: 48, lon: 2 }, { lat: -17, lon: 179.9 }, { lat: 78, lon: 15 })
    await fc.assert(
      fc.asyncProperty(
        center,
        fc.array(near, { maxLength: 80 }),
        fc.nat(80),
        fc.double({ min: 1, max: 40, noNaN: true }),
        async (at, offsets, settled, radiusKm) => {
          const index = new GeoIndex(0)
          const wrap = (lon: number) => (lon > 180 ? lon - 360 : lon)
          const points = offsets.map(({ lat, lon }) => ({ lat: at.lat + lat, lon: wrap(at.lon + lon) }))
          for (const [n, point] of points.entries()) {
            index.put(entry(n, point))
            if (n === settled) await index.settle()
          }
          const expected = points
            .map((point, n) => ({ id: derivePropertyId('v', String(n)), km: distanceKm(at, point) }))
            .filter(({ km }) => km < radiusKm - 0.001)
            .map(({ id }) => id)
          const found = index.candidates({ center: at, radiusKm }, 1_000).map(({ propertyId }) => propertyId)
          expect(found).toEqual(expect.arrayContaining(expected))
          expect(found.length).toBeLessThanOrEqual(points.filter((p) => distanceKm(at, p) <= radiusKm + 0.001).length)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a search in a box finds everything inside it, and the limit ignores properties outside', async () => {
    const index = new GeoIndex(0)
    const points = Array.from({ length: 400 }, (_, n) => ({
      lat: -17 + (n % 20) / 100,
      lon: 179.9 + Math.floor(n / 20) / 100,
    }))
    for (const [n, { lat, lon }] of points.entries()) {
      index.put(entry(n, { lat, lon: lon > 180 ? lon - 360 : lon }))
      if (n === 300) await index.settle()
    }
    const box = { south: -16.955, west: 179.955, north: -16.905, east: -179.965 }
    const inBox = index.candidates({ ...circleAround(box), box }, 1_000)
    expect(inBox).toHaveLength(5 * 8)
    expect(inBox.filter(({ point }) => !isInBox(box, point))).toEqual([])
    expect(index.candidates({ ...circleAround(box), box }, 40)).toEqual(inBox)
  })

  test('candidates are sorted by distance, limited, and have exact points and all vendors', () => {
    const index = new GeoIndex()
    for (let n = 0; n < 50; n += 1) index.put(entry(n, { lat: 10 + n / 1000, lon: 20.1234567 }))
    const found = index.candidates({ center: { lat: 10, lon: 20.1234567 }, radiusKm: 50 }, 3)
    expect(found.map(({ propertyId }) => propertyId)).toEqual([0, 1, 2].map((n) => derivePropertyId('v', String(n))))
    expect(found[1]).toMatchObject({
      point: { lat: 10.001, lon: 20.1234567 },
      vendors: entry(1, { lat: 0, lon: 0 }).vendors,
    })
    expect(found[1]?.distanceKm).toBeCloseTo(0.111, 3)
  })

  test('a moved property is found only at its new location, before and after the tree is rebuilt', async () => {
    const index = new GeoIndex(0)
    const here = { center: { lat: 10, lon: 20 }, radiusKm: 5 }
    const there = { center: { lat: -30, lon: 50 }, radiusKm: 5 }
    index.put(entry(1, here.center))
    await index.settle()
    index.put(entry(1, there.center))
    expect([index.candidates(here, 9).length, index.candidates(there, 9).length]).toEqual([0, 1])
    await index.settle()
    expect([index.candidates(here, 9).length, index.candidates(there, 9).length]).toEqual([0, 1])
    index.put({ ...entry(1, there.center), vendors: [] })
    expect([index.candidates(there, 9).length, index.size()]).toEqual([0, 0])
  })

  test('a large tree is built on a thread and loses nothing that was added meanwhile', async () => {
    const index = new GeoIndex()
    for (let n = 0; n < 60_000; n += 1) index.put(entry(n, { lat: (n % 170) - 85, lon: (n % 359) - 179 }))
    const building = index.settle()
    index.put(entry(70_000, { lat: 0.5, lon: 0.5 }))
    await building
    expect(index.size()).toBe(60_001)
    expect(index.candidates({ center: { lat: 0.5, lon: 0.5 }, radiusKm: 1 }, 9)).toHaveLength(1)
    const last = { lat: (59_999 % 170) - 85, lon: (59_999 % 359) - 179 }
    const found = index.candidates({ center: last, radiusKm: 1 }, 9)
    expect(found.map(({ vendors }) => vendors)).toContainEqual(entry(59_999, last).vendors)
  })
})
