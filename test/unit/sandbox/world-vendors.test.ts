import { describe, expect, test } from 'vitest'
import { STAND_INS } from '../../../sandbox/stand-ins.ts'
import { expediaRapid } from '../../../sandbox/vendors/expedia_rapid/stand-in.ts'
import { hotelbeds } from '../../../sandbox/vendors/hotelbeds/stand-in.ts'
import { createRandom } from '../../../sandbox/world/hash.ts'
import { fromVendorId, toVendorId } from '../../../sandbox/world/vendor-view/vendor-ids.ts'
import { createVendorWorld } from '../../../sandbox/world/vendor-view/vendor-view.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { foldText } from '../../../src/lib/text/fold-text.ts'
import { aPlace, TEST_PLACES } from '../../support/sandbox/places.ts'

const world = createWorld({ places: TEST_PLACES })
const rapid = createVendorWorld(expediaRapid, world)
const beds = createVendorWorld(hotelbeds, world)
const sample = ['Paris', 'London', 'New York City', 'Hanoi', 'Barcelona', 'Istanbul', 'Tokyo', 'Mexico City'].flatMap(
  (name) => world.near({ center: aPlace(name).point, radiusKm: 30 }, 500),
)

describe('numbers of a vendor', () => {
  test('vendor ids identify their property and do not collide among a hundred thousand', () => {
    const random = createRandom(42)
    for (const { id: vendor, salt } of STAND_INS) {
      const keys = new Set(Array.from({ length: 100_000 }, () => random.below(2 ** 32)))
      const ids = new Set<number>()
      for (const key of keys) {
        const id = toVendorId(salt, key)
        if (fromVendorId(salt, id) !== key || !Number.isSafeInteger(id) || id < 0) throw new Error(`${vendor} ${key}`)
        ids.add(id)
      }
      expect(ids.size).toBe(keys.size)
    }
  })

  test('vendor ids differ between vendors, because each has its own salt', () => {
    const ids = STAND_INS.map(({ salt }) => toVendorId(salt, 123_456_789))
    expect(new Set(ids).size).toBe(STAND_INS.length)
  })

  test('vendor ids find only their own property', () => {
    for (const property of sample.slice(0, 200)) {
      for (const standIn of STAND_INS) {
        const sold = createVendorWorld(standIn, world)
        const id = sold.view(property)?.vendorPropertyId
        const found = sold.byVendorId(id ?? toVendorId(standIn.salt, property.key))
        if (id === undefined) expect(found?.key).not.toBe(property.key)
        else expect(found?.key).toBe(property.key)
      }
    }
    for (const id of [-1, 1.5, Number.NaN, 2 ** 32, 2 ** 40]) expect(beds.byVendorId(id)).toBeUndefined()
  })
})

describe('what a vendor sells', () => {
  test('each of two vendors sells three quarters of the world, and both sell more than half of it', () => {
    const first = sample.filter((property) => rapid.view(property))
    const second = sample.filter((property) => beds.view(property))
    const both = first.filter((property) => beds.view(property))
    expect(first.length / sample.length).toBeCloseTo(0.75, 1)
    expect(second.length / sample.length).toBeCloseTo(0.75, 1)
    expect(both.length / sample.length).toBeGreaterThan(0.5)
    expect(both.length / sample.length).toBeLessThan(0.6)
  })

  test('the properties of a vendor can be walked in steps of any size, each exactly once', () => {
    const keysBy = (step: number) => {
      const keys: number[] = []
      for (let after = 0; ; ) {
        const { properties, position, done } = beds.walk(after, step)
        keys.push(...properties.map(({ key, listedAs }) => listedAs ?? key))
        if (done) return keys
        expect(position).toBeGreaterThan(after)
        after = position
      }
    }
    const keys = keysBy(997)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keysBy(5000)).toEqual(keys)
    expect(Math.abs(keys.length / beds.size() - 1)).toBeLessThan(0.03)
    expect(beds.walk(10 ** 9, 10)).toEqual({ properties: [], position: 10 ** 9, done: true })
  })
})

describe('how a vendor describes a property', () => {
  const views = sample.flatMap((property) =>
    [rapid, beds].flatMap((sold) => {
      const view = sold.view(property)
      return view === undefined ? [] : [{ property, view }]
    }),
  )

  test('a vendor’s position is slightly off, rarely by more than 150 m and never by more than a kilometre', () => {
    const meters = views.map(({ property, view }) => distanceKm(property.point, view.point) * 1000)
    expect(Math.max(...meters)).toBeLessThan(1_000)
    const coarse = meters.filter((m) => m > 151).length / meters.length
    expect(coarse).toBeGreaterThan(0.01)
    expect(coarse).toBeLessThan(0.05)
    expect(meters.filter((m) => m > 80).length / meters.length).toBeLessThan(0.08)
    expect(meters.filter((m) => m > 5).length / meters.length).toBeGreaterThan(0.5)
  })

  test('a vendor often spells the name differently, but keeps one of its words', () => {
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

  test('a vendor abbreviates and cuts names, and adds brands and districts, as real vendors do', () => {
    const share = (isSo: (name: string) => boolean) => views.filter(({ view }) => isSo(view.name)).length / views.length
    expect(share((name) => / by |\*\*| - |, /.test(name))).toBeGreaterThan(0.05)
    expect(share((name) => name.length > 8 && name === name.toUpperCase())).toBeGreaterThan(0.03)
    expect(share((name) => name.length === 30 && name === name.toUpperCase())).toBeGreaterThan(0.003)
  })

  test('a vendor lists a few properties twice, under two ids', () => {
    const again = beds.walk(0, 20_000).properties.filter(({ listedAs }) => listedAs !== undefined)
    expect(again.length).toBeGreaterThan(5)
    for (const property of again) {
      const original = world.property(property.key)
      const [first, second] = [original && beds.view(original), beds.view(property)]
      expect(first?.vendorPropertyId).not.toBe(second?.vendorPropertyId)
      expect(beds.byVendorId(second?.vendorPropertyId ?? -1)?.key).toBe(property.key)
    }
  })

  test('a vendor omits some phones, stars and chains, but not most', () => {
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

  test('a vendor’s description is deterministic', () => {
    for (const property of sample.slice(0, 50)) {
      expect(beds.view(property)).toEqual(beds.view(property))
    }
  })
})
