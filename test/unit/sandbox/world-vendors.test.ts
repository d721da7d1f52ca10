import { describe, expect, test } from 'vitest'
import { foldText } from '../../../src/lib/fold-text.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { SANDBOX_VENDORS } from '../../../src/sandbox/world/contract.ts'
import { createRandom } from '../../../src/sandbox/world/hash.ts'
import { keyOfVendorId, vendorIdOf } from '../../../src/sandbox/world/vendor-ids.ts'
import { createWorld } from '../../../src/sandbox/world/world.ts'
import { aPlace, TEST_PLACES } from '../../support/places.ts'

const world = createWorld({ places: TEST_PLACES })
const sample = ['Paris', 'London', 'New York City', 'Hanoi', 'Barcelona', 'Istanbul', 'Tokyo', 'Mexico City'].flatMap(
  (name) => world.near({ center: aPlace(name).point, radiusKm: 30 }, 500),
)

describe('numbers of a vendor', () => {
  test('lead back to the building, for a hundred thousand of them, and never collide', () => {
    const random = createRandom(42)
    for (const vendor of SANDBOX_VENDORS) {
      const keys = new Set(Array.from({ length: 100_000 }, () => random.below(2 ** 32)))
      const ids = new Set<number>()
      for (const key of keys) {
        const id = vendorIdOf(vendor, key)
        if (keyOfVendorId(vendor, id) !== key || !Number.isSafeInteger(id) || id < 0)
          throw new Error(`${vendor} ${key}`)
        ids.add(id)
      }
      expect(ids.size).toBe(keys.size)
    }
  })

  test('differ between vendors', () => {
    expect(vendorIdOf('expedia_rapid', 123_456_789)).not.toBe(vendorIdOf('hotelbeds', 123_456_789))
  })

  test('find the property they belong to, and nothing else', () => {
    for (const property of sample.slice(0, 200)) {
      for (const vendor of SANDBOX_VENDORS) {
        const id = world.view(vendor, property)?.vendorPropertyId
        const found = world.byVendorId(vendor, id ?? vendorIdOf(vendor, property.key))
        expect(found?.key).toBe(id === undefined ? undefined : property.key)
      }
    }
    for (const id of [-1, 1.5, Number.NaN, 2 ** 32, 2 ** 40]) expect(world.byVendorId('hotelbeds', id)).toBeUndefined()
  })
})

describe('what a vendor sells', () => {
  test('is three quarters of the world each, and more than half of it is sold by both', () => {
    const rapid = sample.filter((property) => world.view('expedia_rapid', property))
    const beds = sample.filter((property) => world.view('hotelbeds', property))
    const both = rapid.filter((property) => world.view('hotelbeds', property))
    expect(rapid.length / sample.length).toBeCloseTo(0.75, 1)
    expect(beds.length / sample.length).toBeCloseTo(0.75, 1)
    expect(both.length / sample.length).toBeGreaterThan(0.5)
    expect(both.length / sample.length).toBeLessThan(0.6)
  })

  test('can be walked step by step, each building once, and the steps do not depend on their length', () => {
    const keysBy = (step: number) => {
      const keys: number[] = []
      for (let after = 0; ; ) {
        const { properties, position, done } = world.walk('hotelbeds', after, step)
        keys.push(...properties.map(({ key }) => key))
        if (done) return keys
        expect(position).toBeGreaterThan(after)
        after = position
      }
    }
    const keys = keysBy(997)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keysBy(5000)).toEqual(keys)
    expect(Math.abs(keys.length / world.sizeOf('hotelbeds') - 1)).toBeLessThan(0.03)
    expect(world.walk('hotelbeds', 10 ** 9, 10)).toEqual({ properties: [], position: 10 ** 9, done: true })
  })
})

describe('how a vendor describes a building', () => {
  const views = sample.flatMap((property) =>
    SANDBOX_VENDORS.flatMap((vendor) => {
      const view = world.view(vendor, property)
      return view === undefined ? [] : [{ property, view }]
    }),
  )

  test('is a little off the true position, never more than 150 m', () => {
    const meters = views.map(({ property, view }) => distanceKm(property.point, view.point) * 1000)
    expect(Math.max(...meters)).toBeLessThan(151)
    expect(meters.filter((m) => m > 80).length / meters.length).toBeLessThan(0.05)
    expect(meters.filter((m) => m > 5).length / meters.length).toBeGreaterThan(0.5)
  })

  test('often spells the name in another way, but keeps a word of it', () => {
    const other = views.filter(({ property, view }) => view.name !== property.name)
    expect(other.length / views.length).toBeGreaterThan(0.3)
    for (const { property, view } of views) {
      const words = new Set(foldText(property.name).split(' '))
      expect(
        foldText(view.name)
          .split(' ')
          .some((word) => words.has(word)),
      ).toBe(true)
      expect(view.name).not.toMatch(/Hotel Hotel|Motel Hotel|^(de|du|des|la) /)
    }
  })

  test('has gaps: some phones, stars and chains are missing, most are there', () => {
    const share = (isMissing: (entry: (typeof views)[number]) => boolean) =>
      views.filter(isMissing).length / views.length
    expect(share(({ view }) => view.phone === '')).toBeCloseTo(0.1, 1)
    expect(share(({ view }) => view.stars === 0)).toBeCloseTo(0.05, 1)
    expect(share(({ property, view }) => view.chain === '' && property.chain !== '')).toBeGreaterThan(0.01)
    for (const { view } of views) {
      expect(view.priceFactor).toBeGreaterThanOrEqual(0.94)
      expect(view.priceFactor).toBeLessThanOrEqual(1.08)
      expect(view.stars === 0 || (view.stars >= 1 && view.stars <= 5)).toBe(true)
    }
  })

  test('is the same each time', () => {
    for (const property of sample.slice(0, 50)) {
      expect(world.view('hotelbeds', property)).toEqual(world.view('hotelbeds', property))
    }
  })
})
