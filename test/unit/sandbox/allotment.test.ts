import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAllotment } from '../../../sandbox/server/allotment.ts'
import type { WorldRoom } from '../../../sandbox/world/contract.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import { addDays } from '../../../src/lib/time/plain-date.ts'
import { aPlace } from '../../support/sandbox/places.ts'

const world = createWorld({ places: [aPlace('Paris'), aPlace('Nice')] })
const properties = world.near({ center: aPlace('Paris').point, radiusKm: 30 }, 200)
const nightsFrom = (start: string, count: number) => Array.from({ length: count }, (_, i) => addDays(start, i))

/** A room with at least `count` units free on all nights. */
function findFree(count: number): { key: number; room: WorldRoom; nights: string[] } {
  const allotment = createAllotment()
  const nights = nightsFrom('2027-05-03', 3)
  for (const { key, rooms } of properties) {
    for (const room of rooms) if (allotment.left(key, room, nights) >= count) return { key, room, nights }
  }
  throw new Error('nothing is free')
}

describe('the allotment', () => {
  test('the allotment takes rooms for all nights or none', () => {
    const allotment = createAllotment()
    const { key, room, nights } = findFree(2)
    const [first = ''] = nights
    const free = allotment.left(key, room, [first])
    expect(allotment.take(key, room, [first], free)).toBe(true)
    const later = nights.slice(1)
    const before = allotment.left(key, room, later)
    expect(allotment.take(key, room, nights, 1)).toBe(false)
    expect(allotment.left(key, room, later)).toBe(before)
  })

  test('the allotment gives rooms back, up to the number that the property has', () => {
    const allotment = createAllotment()
    const { key, room, nights } = findFree(2)
    const free = allotment.left(key, room, nights)
    expect(allotment.take(key, room, nights, 2)).toBe(true)
    expect(allotment.left(key, room, nights)).toBeLessThanOrEqual(free)
    allotment.giveBack(key, room, nights, 2)
    allotment.giveBack(key, room, nights, 2)
    expect(allotment.left(key, room, nights)).toBe(free)
  })

  test('the allotment refuses invalid counts and nights', () => {
    const allotment = createAllotment()
    const { key, room, nights } = findFree(2)
    for (const count of [0, -1, 1.5, Number.NaN]) expect(allotment.take(key, room, nights, count)).toBe(false)
    expect(allotment.take(key, room, [...nights, ...nights], 1)).toBe(false)
    expect(allotment.take(key, room, [], 1)).toBe(false)
  })

  test('five to ten percent of room nights are sold out initially', () => {
    const allotment = createAllotment()
    const nights = nightsFrom('2027-01-01', 365)
    let empty = 0
    let all = 0
    for (const { key, rooms } of properties.slice(0, 60)) {
      for (const room of rooms) {
        for (const night of nights) {
          const left = allotment.left(key, room, [night])
          if (left > room.count) throw new Error(`${left} of ${room.count} left`)
          all++
          if (left === 0) empty++
        }
      }
    }
    expect(empty / all).toBeGreaterThan(0.05)
    expect(empty / all).toBeLessThan(0.1)
  })

  test('the allotment is never overdrawn by any sequence of calls', () => {
    const step = fc.record({
      at: fc.nat(3),
      room: fc.nat(2),
      start: fc.nat(10),
      nights: fc.integer({ min: 1, max: 6 }),
      count: fc.integer({ min: 1, max: 5 }),
      back: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const allotment = createAllotment()
        const fresh = createAllotment()
        const held = new Map<string, number>()
        for (const { at, room: index, start, nights: length, count, back } of steps) {
          const property = properties[at]
          const room = property?.rooms[index]
          if (property === undefined || room === undefined) continue
          const nights = nightsFrom(addDays('2027-07-01', start), length)
          const slots = nights.map((night) => `${property.key} ${room.number} ${night}`)
          if (back && slots.every((slot) => (held.get(slot) ?? 0) >= count)) {
            allotment.giveBack(property.key, room, nights, count)
            for (const slot of slots) held.set(slot, (held.get(slot) ?? 0) - count)
          } else if (!back && allotment.take(property.key, room, nights, count)) {
            for (const slot of slots) held.set(slot, (held.get(slot) ?? 0) + count)
          }
          for (const [i, night] of nights.entries()) {
            const ours = held.get(slots[i] ?? '') ?? 0
            expect(allotment.left(property.key, room, [night])).toBe(fresh.left(property.key, room, [night]) - ours)
          }
        }
        for (const count of held.values()) expect(count).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 60 },
    )
  })
})
