import { type Circle, isPoint } from '../../../src/lib/geo.ts'
import type { Place } from '../contract.ts'
import { itemAt } from '../hash.ts'
import { createCellGrid } from './cell-grid.ts'
import { findDestination } from './destinations.ts'

export type PlaceIndex = {
  readonly places: readonly Place[]
  /** Number of properties in all previous places; the last entry is the total. */
  readonly before: Uint32Array
  countAt(index: number): number
  /** Index in `places` of the place with this source id, if any. */
  findIndex(sourceId: number): number | undefined
  /** Indexes of all places with their centre in the circle, and of some outside. */
  around(circle: Circle): number[]
}

/** Approximate number of places; growing the arrays step by step takes half as long again. */
const PLACES_EXPECTED = 200_000
/** Keys have 24 bits for the place. */
const SOURCE_ID_MAX = 2 ** 24

/**
 * Turns the list into columns. Skips places without a valid position or with an id that is out of range or repeated.
 */
export function createPlaceIndex(source: Iterable<Place>): PlaceIndex {
  const places: Place[] = []
  const slots = createSlots(Array.isArray(source) ? source.length : PLACES_EXPECTED)
  for (const place of source) {
    const fits = Number.isInteger(place.sourceId) && place.sourceId > 0 && place.sourceId < SOURCE_ID_MAX
    if (!fits || !isPoint(place.point.lat, place.point.lon)) continue
    if (slots.add(place.sourceId, places.length)) places.push(place)
  }
  const before = new Uint32Array(places.length + 1)
  let total = 0
  for (let i = 0; i < places.length; i++) {
    total += estimatePropertyCount(itemAt(places, i))
    before[i + 1] = total
  }
  return {
    places,
    before,
    countAt: (index) => (before[index + 1] ?? 0) - (before[index] ?? 0),
    findIndex: slots.find,
    around: createCellGrid(places),
  }
}

/** The number of properties grows more slowly than the population: 20,000 → 12, 100,000 → 36, 2 million → 134. */
function estimatePropertyCount(place: Place): number {
  const people = Math.max(place.population || 0, findDestination(place.sourceId)?.guestPopulation ?? 0)
  if (people < 1000) return 1
  if (people < 5000) return 3
  return Math.max(3, Math.min(140, Math.round(6 * (Math.log10(people) - 3) ** 2.6)))
}

/** Open-addressing hash table: for 200,000 numbers several times faster to fill than a Map. */
function createSlots(expected: number) {
  let keys = new Uint32Array(2 ** Math.ceil(Math.log2(expected * 2 + 16)))
  let values = new Uint32Array(keys.length)
  let size = 0
  const findSlot = (key: number): number => {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 0) & (keys.length - 1)
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & (keys.length - 1)
    return slot
  }
  const grow = () => {
    const [oldKeys, oldValues] = [keys, values]
    keys = new Uint32Array(oldKeys.length * 2)
    values = new Uint32Array(keys.length)
    for (const [i, key] of oldKeys.entries()) {
      if (key === 0) continue
      const slot = findSlot(key)
      keys[slot] = key
      values[slot] = oldValues[i] ?? 0
    }
  }
  return {
    /** Returns false if the key already exists. */
    add(key: number, value: number): boolean {
      if (size * 2 >= keys.length) grow()
      const slot = findSlot(key)
      if (keys[slot] === key) return false
      keys[slot] = key
      values[slot] = value
      size++
      return true
    },
    find(key: number): number | undefined {
      if (key <= 0) return undefined
      const slot = findSlot(key)
      return keys[slot] === key ? values[slot] : undefined
    },
  }
}
