import { expect, test } from 'vitest'
import type { Summary } from '../../../web/src/api/shapes.ts'
import { fitBox } from '../../../web/src/map/bounds.ts'
import { formatPinPrice, MAX_PINS, measurePins, placePins } from '../../../web/src/map/place-pins.ts'
import { createLocator } from '../../../web/src/results/filters/neighbourhoods.ts'

const SIZE = { width: 4_000, height: 4_000, pinWidth: 78 }
const stay = (id: number, price: number, x: number, y: number) =>
  ({ property_id: `p${id}`, total_price: price, location: { lat: y, lon: x } }) as Summary
const place = (stays: readonly Summary[]) =>
  placePins(stays, ({ location: { lat, lon } }) => ({ x: lon, y: lat }), SIZE)

test('stays at one spot share a pin at the first one, with the cheapest listed first', () => {
  const pins = place([stay(1, 90, 100, 100), stay(2, 40, 120, 110), stay(3, 60, 130, 100), stay(4, 70, 500, 100)])
  expect(pins.map(({ stays }) => stays.map(({ total_price }) => total_price))).toEqual([[40, 60, 90], [70]])
  expect(pins[0]).toMatchObject({ property: { property_id: 'p2' }, at: { lat: 100, lon: 100 } })
})

test('there are at most fifty pins, none overlaps another, and every stay in view belongs to one', () => {
  const stays = Array.from({ length: 600 }, (_, index) =>
    stay(index, index, (index * 137) % 3_900, (index * 211) % 3_900),
  )
  const pins = place(stays)
  expect(pins).toHaveLength(MAX_PINS)
  expect(pins.flatMap((pin) => pin.stays)).toHaveLength(600)
  for (const [index, { at: a }] of pins.entries())
    for (const { at: b } of pins.slice(index + 1))
      expect(Math.abs(a.lon - b.lon) >= 78 || Math.abs(a.lat - b.lat) >= 36).toBe(true)
})

test('a stay far outside the map has no pin', () => {
  expect(place([stay(1, 10, -500, 100), stay(2, 10, 100, 9_000)])).toEqual([])
})

test('a pin marks a converted price', () => {
  const format = (converted: boolean) =>
    formatPinPrice(
      { property: { ...stay(1, 80, 0, 0), currency: 'EUR', converted } },
      (amount, code) => `${amount} ${code}`,
    )
  expect([format(false), format(true)]).toEqual(['80 EUR', '≈ 80 EUR'])
})

test('one distant stay does not widen the view', () => {
  const city = Array.from({ length: 40 }, (_, index) => ({ lat: 38 + index / 1000, lon: -9 }))
  expect(fitBox([...city, { lat: 60, lon: 20 }])).toMatchObject({ east: -9 })
})

test('stays on both sides of the 180th meridian are neighbours', () => {
  const taveuni = [
    { lat: -16.8, lon: 179.9 },
    { lat: -16.9, lon: -179.9 },
  ]
  const box = fitBox(taveuni)
  expect(box?.west).toBeCloseTo(179.9)
  expect(box?.east).toBeCloseTo(180.1)
  const back = fitBox(taveuni.toReversed())
  expect((back?.east ?? 0) - (back?.west ?? 0)).toBeCloseTo(0.2)
  const names = [{ id: '1', name: 'Matei, Fiji', location: { lat: -16.8, lon: 180 } }]
  const found = new Map([['a', { property_id: 'a', location: { lat: -16.8, lon: -179.99 } } as Summary]])
  expect(createLocator(names)(found).get('a')?.neighbourhood).toBe('Matei')
})

test('pins need more space for longer prices, so that they do not cover each other', () => {
  expect(measurePins(['≈ JPY 104,500'])).toBeGreaterThan(measurePins(['€63', '€1,024']))
  expect(measurePins([])).toBeLessThan(measurePins(['€63']))
  // Width of "€129 +30" in a browser.
  expect(measurePins(['€129'])).toBeGreaterThanOrEqual(79)
})
