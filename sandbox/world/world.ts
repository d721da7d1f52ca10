import { LRUCache } from 'lru-cache'
import { type Circle, distanceKm, isPoint } from '../../src/lib/geo.ts'
import type { Place, World, WorldProperty } from './contract.ts'
import { itemAt } from './hash.ts'
import type { Setting } from './places/destinations.ts'
import { isBySea } from './places/land-mask.ts'
import { createPlaceIndex, type PlaceIndex } from './places/place-index.ts'
import { SPREAD_KM_MAX, spreadKm } from './places/position.ts'
import { createPositions, type Positions } from './places/positions.ts'
import { cacheRates } from './prices/cache-rates.ts'
import { estimateMarket, MARKET_KM } from './prices/pricing.ts'
import { quoteRates } from './prices/rates.ts'
import { buildProperty } from './property/build-property.ts'
import {
  classifyPlace,
  drawTraits,
  type Traits,
  toPropertyKey,
  toPropertyNumber,
  toSourceId,
} from './property/traits.ts'

const PROPERTIES_KEPT = 4096
/** Half the circumference of the earth. */
const EARTH_HALF_KM = 20_016

export function createWorld({ places }: { readonly places: Iterable<Place> }): World {
  const index = createPlaceIndex(places)
  const positions = createPositions(index)
  const kept = new LRUCache<number, WorldProperty>({ max: PROPERTIES_KEPT })
  const traitsAt = createTraitsReader(index)
  const marketAt = createMarketReader(index)

  const property = (key: number): WorldProperty | undefined => {
    const found = kept.get(key)
    if (found !== undefined) return found
    const placeIndex = Number.isInteger(key) ? index.findIndex(toSourceId(key)) : undefined
    if (placeIndex === undefined || toPropertyNumber(key) >= index.countAt(placeIndex)) return undefined
    const built = buildProperty(traitsAt(placeIndex, toPropertyNumber(key)), index.countAt(placeIndex))
    kept.set(key, built)
    return built
  }
  const findAll = (keys: readonly number[]) => keys.map(property).filter((found) => found !== undefined)

  return {
    near: (circle, limit) => findAll(findNearestKeys(index, positions, circle, limit)),
    property,
    walk(isWanted, after, limit) {
      const { keys, position, done } = walkKeys(index, isWanted, after, limit)
      return { properties: findAll(keys), position, done }
    },
    keysIn: (countryCode) => listCountryKeys(index, countryCode),
    size: () => index.before[index.places.length] ?? 0,
    rates: cacheRates((found, checkIn, checkOut, occupancy, today) => {
      const placeIndex = index.findIndex(toSourceId(found.key))
      if (placeIndex === undefined) return []
      const { setting } = traitsAt(placeIndex, toPropertyNumber(found.key))
      return quoteRates(found, { setting, market: marketAt(placeIndex) }, { checkIn, checkOut, today }, occupancy)
    }),
  }
}

/** Reads the traits of the n-th property of a place; the setting of each place is computed once. */
function createTraitsReader(index: PlaceIndex) {
  const settingAt = cachePerPlace((placeIndex): Setting => {
    const place = itemAt(index.places, placeIndex)
    return classifyPlace(place, isBySea(place.point))
  })
  return (placeIndex: number, n: number): Traits =>
    drawTraits(itemAt(index.places, placeIndex), n, index.countAt(placeIndex), settingAt(placeIndex))
}

const createMarketReader = (index: PlaceIndex) =>
  cachePerPlace((placeIndex) => {
    const place = itemAt(index.places, placeIndex)
    const neighbours = index.around({ center: place.point, radiusKm: MARKET_KM })
    return estimateMarket(
      place,
      neighbours.map((neighbour) => itemAt(index.places, neighbour)),
    )
  })

/** Computes a value per place on first use and caches it. The number of places is limited. */
function cachePerPlace<Value>(compute: (placeIndex: number) => Value) {
  const known = new Map<number, Value>()
  return (placeIndex: number): Value => {
    let value = known.get(placeIndex)
    if (value === undefined) {
      value = compute(placeIndex)
      known.set(placeIndex, value)
    }
    return value
  }
}

/** Searches widening circles, so that a search over a whole country stops at the first few hundred properties. */
function findNearestKeys(index: PlaceIndex, positions: Positions, circle: Circle, limit: number): number[] {
  const { center, radiusKm } = circle
  if (!isPoint(center.lat, center.lon) || !(radiusKm > 0) || !(limit >= 1)) return []
  const widest = Math.min(radiusKm, EARTH_HALF_KM)
  for (let reachKm = Math.min(widest, 4); ; reachKm = Math.min(widest, reachKm * 1.7)) {
    const found = findKeysWithin(index, positions, { center, radiusKm: reachKm })
    if (found.length < limit && reachKm < widest) continue
    return found
      .sort((a, b) => a.km - b.km || a.key - b.key)
      .slice(0, Math.floor(limit))
      .map(({ key }) => key)
  }
}

function findKeysWithin(index: PlaceIndex, positions: Positions, circle: Circle): { key: number; km: number }[] {
  const { center, radiusKm } = circle
  const found: { key: number; km: number }[] = []
  for (const placeIndex of index.around({ center, radiusKm: radiusKm + SPREAD_KM_MAX })) {
    const place = itemAt(index.places, placeIndex)
    if (distanceKm(center, place.point) > radiusKm + spreadKm(place.population)) continue
    const points = positions(placeIndex)
    for (let n = 0; n * 2 < points.length; n++) {
      const km = distanceKm(center, { lat: points[n * 2] ?? 0, lon: points[n * 2 + 1] ?? 0 })
      if (km <= radiusKm) found.push({ key: toPropertyKey(place.sourceId, n), km })
    }
  }
  return found
}

/** Positions count all properties of the world, wanted or not, in the order of the places. */
function walkKeys(index: PlaceIndex, isWanted: (key: number) => boolean, after: number, limit: number) {
  const end = index.before[index.places.length] ?? 0
  const keys: number[] = []
  let position = Math.max(0, Math.floor(after) || 0)
  let placeIndex = findPlaceAt(index.before, position)
  while (position < end && keys.length < limit) {
    while (position >= (index.before[placeIndex + 1] ?? end)) placeIndex++
    const key = toPropertyKey(itemAt(index.places, placeIndex).sourceId, position - (index.before[placeIndex] ?? 0))
    if (isWanted(key)) keys.push(key)
    position++
  }
  return { keys, position, done: position >= end }
}

function listCountryKeys(index: PlaceIndex, countryCode: string): number[] {
  const keys: number[] = []
  for (const [placeIndex, place] of index.places.entries()) {
    if (place.countryCode !== countryCode) continue
    for (let n = 0; n < index.countAt(placeIndex); n++) keys.push(toPropertyKey(place.sourceId, n))
  }
  return keys
}

/** Index of the place that contains the position (binary search in the running totals). */
function findPlaceAt(before: Uint32Array, position: number): number {
  let low = 0
  let high = Math.max(0, before.length - 2)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((before[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}
