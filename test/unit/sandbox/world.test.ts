import { describe, expect, test } from 'vitest'
import type { WorldProperty } from '../../../sandbox/world/contract.ts'
import { COUNTRY_CODES, findCountry } from '../../../sandbox/world/places/countries.ts'
import { isLand } from '../../../sandbox/world/places/land-mask.ts'
import { CHAINS } from '../../../sandbox/world/property/chains.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { isCurrency } from '../../../src/domain/money/currency.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { aPlace, TEST_PLACES } from '../../support/sandbox/places.ts'

const world = createWorld({ places: TEST_PLACES })
const around = (name: string, radiusKm = 20, limit = 500) => world.near({ center: aPlace(name).point, radiusKm }, limit)

function everything(): WorldProperty[] {
  const found: WorldProperty[] = []
  for (let after = 0, done = false; !done; ) {
    const step = world.walk(() => true, after, 700)
    found.push(...step.properties)
    after = step.position
    done = step.done
  }
  return found
}
const all = everything()

describe('the world', () => {
  test('the world is the same in every process and for any order of queries', () => {
    const other = createWorld({ places: [...TEST_PLACES].reverse() })
    for (const property of around('Paris').slice(0, 60)) {
      expect(JSON.stringify(other.property(property.key))).toBe(JSON.stringify(property))
    }
  })

  test('the world accepts any iterable and omits places without a position', () => {
    const odd = { ...aPlace('Paris'), sourceId: 2 ** 24 }
    const lost = { ...aPlace('Paris'), sourceId: 7, point: { lat: Number.NaN, lon: 0 } }
    const small = createWorld({ places: new Set([aPlace('Paris'), aPlace('Paris'), odd, lost]) })
    expect(small.near({ center: aPlace('Paris').point, radiusKm: 50 }, 1000).length).toBe(
      around('Paris', 50, 1000).length,
    )
    expect(createWorld({ places: [] }).near({ center: aPlace('Paris').point, radiusKm: 50 }, 10)).toEqual([])
  })

  test('every property of the world is complete', () => {
    for (const property of all.filter((_, i) => i % 5 === 0)) {
      const text = JSON.stringify(property)
      expect(text).not.toMatch(/NaN|undefined|null|[{}]n}|\{[cpsnN]\}|\{quarter\}|\{place\}|\{name\}/)
      expect(property.name.trim()).toBe(property.name)
      expect(property.name.length).toBeGreaterThan(3)
      expect(isCurrency(property.currency)).toBe(true)
      expect(property.ratings.overall).toBeLessThanOrEqual(5)
      expect(property.rooms.length).toBeGreaterThanOrEqual(3)
      expect(property.rooms.length).toBeLessThanOrEqual(12)
      expect(property.paragraphs.length).toBeGreaterThanOrEqual(2)
      expect(property.pictures.length).toBeGreaterThanOrEqual(8)
      expect(property.pictures.length).toBeLessThanOrEqual(14)
      expect(new Set(property.pictures.map(({ kind }) => kind)).size).toBe(property.pictures.length)
      expect(Math.min(...property.rooms.map(({ factor }) => factor))).toBe(1)
      for (const room of property.rooms) expect(room.count).toBeGreaterThanOrEqual(1)
    }
  })

  test('descriptions mention only amenities that the property has', () => {
    const claims: [RegExp, string][] = [
      [/restaurant/i, 'restaurant'],
      [/\bspa (has|waits)/i, 'spa'],
      [/indoor pool/i, 'indoor_pool'],
      [/outdoor pool/i, 'outdoor_pool'],
      [/casino in/i, 'casino'],
      [/Dogs|Pets/, 'pets'],
    ]
    for (const property of all) {
      const text = property.paragraphs.slice(2).join(' ')
      for (const [sign, slug] of claims) if (sign.test(text)) expect(property.amenities).toContain(slug)
    }
  })

  test('every country has a real currency and a price level', () => {
    expect(COUNTRY_CODES.length).toBeGreaterThan(230)
    for (const code of COUNTRY_CODES) {
      const { currency, level, taxPercent, cityTaxUsCents } = findCountry(code)
      expect([code, isCurrency(currency)]).toEqual([code, true])
      expect(level).toBeGreaterThan(20)
      expect(taxPercent + cityTaxUsCents).not.toBeNaN()
    }
    expect(findCountry('??').currency).toBe('USD')
  })

  test('the world has at least forty chains with distinct names', () => {
    expect(new Set(CHAINS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(40)
    for (const { starsMin, starsMax } of CHAINS) expect(starsMax).toBeGreaterThanOrEqual(starsMin)
  })
})

describe('near', () => {
  test('near returns the nearest first, within the circle and up to the limit', () => {
    const { point } = aPlace('Paris')
    const found = around('Paris', 8, 40)
    const distances = found.map((property) => distanceKm(point, property.point))
    expect(found).toHaveLength(40)
    expect(distances).toEqual([...distances].sort((a, b) => a - b))
    expect(Math.max(...distances)).toBeLessThanOrEqual(8)
  })

  test('near returns the same nearest properties for a narrow and a wide circle', () => {
    const narrow = around('London', 6, 30).map(({ key }) => key)
    expect(around('London', 900, 30).map(({ key }) => key)).toEqual(narrow)
  })

  test('near finds the same properties as a brute-force search', () => {
    const { point } = aPlace('Nice')
    const sold = all.filter((property) => distanceKm(point, property.point) <= 5).map(({ key }) => key)
    const found = new Set(around('Nice', 5, 1000).map(({ key }) => key))
    expect(sold.length).toBeGreaterThan(20)
    for (const key of sold) expect(found.has(key)).toBe(true)
  })

  test('near works across the date line and at the poles', () => {
    const suva = { ...aPlace('Suva'), sourceId: 99, point: { lat: -17, lon: 179.995 } }
    const pole = { ...aPlace('Suva'), sourceId: 98, point: { lat: 89.99, lon: 10 } }
    const edge = createWorld({ places: [suva, pole] })
    expect(edge.near({ center: { lat: -17, lon: -179.99 }, radiusKm: 30 }, 500).length).toBeGreaterThan(5)
    expect(edge.near({ center: { lat: 89.99, lon: -170 }, radiusKm: 30 }, 500).length).toBeGreaterThan(5)
  })

  test('an invalid circle contains no properties', () => {
    const center = aPlace('Paris').point
    for (const radiusKm of [0, -1, Number.NaN]) expect(world.near({ center, radiusKm }, 10)).toEqual([])
    for (const limit of [0, -3, Number.NaN]) expect(world.near({ center, radiusKm: 5 }, limit)).toEqual([])
    expect(world.near({ center: { lat: 200, lon: 0 }, radiusKm: 5 }, 10)).toEqual([])
    expect(world.near({ center, radiusKm: Number.POSITIVE_INFINITY }, 3)).toHaveLength(3)
  })

  test('properties of a harbour town are on land', () => {
    const wet = [...around('Honolulu'), ...around('Nice'), ...around('Reykjavík')].filter(({ point }) => !isLand(point))
    expect(wet.length).toBeLessThan(4)
  })
})

describe('look-alikes', () => {
  test('towers of one resort share a name and are next to each other', () => {
    const towers = all.filter(({ name }) => / - East Tower$/.test(name))
    expect(towers.length).toBeGreaterThan(3)
    for (const tower of towers) {
      const other = world.property(tower.key + 1)
      expect(other?.name).toBe(tower.name.replace('East Tower', 'West Tower'))
      const meters = distanceKm(tower.point, other?.point ?? tower.point) * 1000
      expect(meters).toBeGreaterThan(35)
      expect(meters).toBeLessThan(155)
      expect(other?.address.line1).toBe(tower.address.line1)
    }
  })

  test('no two independent properties of a town share a name, except resort towers', () => {
    for (const { sourceId } of TEST_PLACES) {
      const names = all
        .filter(({ key, chain }) => Math.floor(key / 256) === sourceId && chain === '')
        .map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
    }
  })
})
