import { describe, expect, test } from 'vitest'
import type { WorldProperty } from '../../../sandbox/world/contract.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import type { Occupancy } from '../../../src/domain/stay.ts'
import { aPlace, TEST_PLACES } from '../../support/sandbox/places.ts'

const world = createWorld({ places: TEST_PLACES })
const TODAY = '2027-03-01'
const COUPLE: Occupancy = { adults: 2, childrenAges: [] }
const at = (name: string) => world.near({ center: aPlace(name).point, radiusKm: 30 }, 500)

/** Cheapest first night, in major units. */
function cheapest(property: WorldProperty, checkIn: string, checkOut: string, who = COUPLE, digits = 2): number {
  const rates = world.rates(property, checkIn, checkOut, who, TODAY)
  return Math.min(...rates.map(({ nightlyMinor }) => nightlyMinor[0] ?? Number.NaN)) / 10 ** digits
}
const median = (numbers: readonly number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const mean = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0) / numbers.length

describe('rates', () => {
  test('rates are deterministic and complete, with one price in whole minor units per night', () => {
    for (const property of [...at('Tokyo'), ...at('Paris'), ...at('Kuwait City')].slice(0, 400)) {
      const rates = world.rates(property, '2027-06-10', '2027-06-14', COUPLE, TODAY)
      expect(rates).toEqual(world.rates(property, '2027-06-10', '2027-06-14', COUPLE, TODAY))
      const plans = rates.map(({ room, plan }) => `${room.number} ${plan}`)
      expect(new Set(plans).size).toBe(plans.length)
      for (const rate of rates) {
        const numbers = [...rate.nightlyMinor, rate.taxMinor, rate.cityTaxMinor, rate.resortFeeMinor]
        expect(rate.nightlyMinor).toHaveLength(4)
        expect(numbers.every((minor) => Number.isSafeInteger(minor) && minor >= 0)).toBe(true)
        expect(rate.nightlyMinor.every((minor) => minor > 0)).toBe(true)
        expect(rate.refundable).toBe(rate.freeCancelHours > 0)
        for (const [i, before] of (rate.nightlyBeforeMinor ?? []).entries()) {
          expect(before).toBeGreaterThanOrEqual(rate.nightlyMinor[i] ?? 0)
        }
      }
    }
  })

  test('rates omit rooms that are too small for the party', () => {
    for (const property of at('Rome').slice(0, 150)) {
      const family = world.rates(property, '2027-06-10', '2027-06-12', { adults: 2, childrenAges: [9, 4] }, TODAY)
      for (const { room } of family) expect(room.sleeps).toBeGreaterThanOrEqual(4)
      expect(world.rates(property, '2027-06-10', '2027-06-12', { adults: 14, childrenAges: [] }, TODAY)).toEqual([])
    }
  })

  test('most properties have rooms for a couple, a single traveller and a family', () => {
    const properties = at('London').filter(({ kind }) => kind !== 'hostel')
    for (const who of [COUPLE, { adults: 1, childrenAges: [] }, { adults: 2, childrenAges: [7] }]) {
      const open = properties.filter(
        (property) => world.rates(property, '2027-06-10', '2027-06-12', who, TODAY).length > 0,
      )
      expect(open.length / properties.length).toBeGreaterThan(0.9)
    }
  })

  test('a stay that ends before it begins or lasts for months has no rates', () => {
    const property = at('Rome')[0]
    if (property === undefined) throw new Error('Rome is empty')
    expect(world.rates(property, '2027-06-10', '2027-06-10', COUPLE, TODAY)).toEqual([])
    expect(world.rates(property, '2027-06-10', '2027-06-01', COUPLE, TODAY)).toEqual([])
    expect(world.rates(property, '2027-06-10', '2028-06-10', COUPLE, TODAY)).toEqual([])
    expect(world.rates(property, 'never', '2028-06-10', COUPLE, TODAY)).toEqual([])
  })
})

describe('prices', () => {
  test('prices rise with the stars on average', () => {
    const hotels = ['Paris', 'London', 'Rome', 'Berlin', 'Madrid'].flatMap(at).filter(({ kind }) => kind === 'hotel')
    const byStars = [2, 3, 4, 5].map((stars) =>
      mean(hotels.filter((hotel) => hotel.stars === stars).map((hotel) => cheapest(hotel, '2027-05-11', '2027-05-13'))),
    )
    expect(byStars).toEqual([...byStars].sort((a, b) => a - b))
    expect((byStars[3] ?? 0) / (byStars[1] ?? 1)).toBeGreaterThan(2.3)
  })

  test('prices match their country: Paris by stars, a Hanoi guesthouse, a Zermatt hotel', () => {
    const price = (place: string, wanted: (property: WorldProperty) => boolean, digits = 2) =>
      median(
        at(place)
          .filter(wanted)
          .map((property) => cheapest(property, '2027-05-11', '2027-05-13', COUPLE, digits)),
      )
    const paris3 = price('Paris', ({ kind, stars }) => kind === 'hotel' && stars === 3)
    const paris5 = price('Paris', ({ kind, stars }) => kind === 'hotel' && stars === 5)
    const hanoi = price('Hanoi', ({ kind }) => kind === 'guesthouse', 0) / 25_950
    const zermatt = price('Zermatt', ({ kind, stars }) => kind === 'hotel' && stars >= 3)
    expect(paris3).toBeGreaterThan(110)
    expect(paris3).toBeLessThan(175)
    expect(paris5).toBeGreaterThan(370)
    expect(paris5).toBeLessThan(600)
    expect(hanoi).toBeGreaterThan(16)
    expect(hanoi).toBeLessThan(38)
    expect(zermatt).toBeGreaterThan(140)
  })

  test('prices follow the season of their hemisphere', () => {
    const season = (place: string, high: [string, string], low: [string, string]) =>
      mean(
        at(place)
          .slice(0, 80)
          .map(
            (p) =>
              cheapest(p, ...high, { adults: 1, childrenAges: [] }) /
              cheapest(p, ...low, { adults: 1, childrenAges: [] }),
          ),
      )
    const august: [string, string] = ['2027-08-11', '2027-08-13']
    const february: [string, string] = ['2028-02-09', '2028-02-11']
    expect(season('Mykonos', august, february)).toBeGreaterThan(1.7)
    expect(season('Sydney', february, august)).toBeGreaterThan(1.05)
    expect(season('Zermatt', february, ['2027-05-11', '2027-05-13'])).toBeGreaterThan(1.4)
  })

  test('prices are lower for a week, higher at the last minute, and lower without refund', () => {
    const properties = at('Berlin')
      .filter(({ kind }) => kind === 'hotel')
      .slice(0, 60)
    const first = (p: WorldProperty, checkOut: string, today: string) =>
      world.rates(p, '2027-06-10', checkOut, COUPLE, today)[0]?.nightlyMinor[0] ?? Number.NaN
    expect(mean(properties.map((p) => first(p, '2027-06-18', TODAY) / first(p, '2027-06-11', TODAY)))).toBeLessThan(
      0.95,
    )
    expect(
      mean(properties.map((p) => first(p, '2027-06-11', '2027-06-05') / first(p, '2027-06-11', TODAY))),
    ).toBeGreaterThan(1.05)
    for (const property of properties) {
      const rates = world
        .rates(property, '2027-06-10', '2027-06-11', COUPLE, TODAY)
        .filter(({ nightlyBeforeMinor }) => nightlyBeforeMinor === undefined)
      const [saver, flex] = ['saver', 'flex'].map((plan) =>
        rates.find((rate) => rate.plan === plan && rate.room.number === 1),
      )
      if (saver && flex) expect(saver.nightlyMinor[0]).toBeLessThan(flex.nightlyMinor[0] ?? 0)
    }
  })

  test('some properties have a promotion, most do not', () => {
    const properties = at('Paris')
    const reduced = properties.filter((p) =>
      world.rates(p, '2027-06-10', '2027-06-12', COUPLE, TODAY).some(({ nightlyBeforeMinor }) => nightlyBeforeMinor),
    )
    expect(reduced.length / properties.length).toBeGreaterThan(0.1)
    expect(reduced.length / properties.length).toBeLessThan(0.3)
  })
})
