import { LRUCache } from 'lru-cache'
import { at } from './hash.ts'
import type { PlaceIndex } from './place-index.ts'
import { positionOf } from './position.ts'

/** Latitudes and longitudes of all properties of a place, alternating. */
export type Positions = (placeIndex: number) => Float64Array

/** Several megabytes at most: an average place has six properties. */
const PLACES_KEPT = 8192

/** Searches come back to the same towns, so the latest are kept. */
export function createPositions(index: PlaceIndex): Positions {
  const kept = new LRUCache<number, Float64Array>({ max: PLACES_KEPT })
  return (placeIndex) => {
    let points = kept.get(placeIndex)
    if (points === undefined) {
      const place = at(index.places, placeIndex)
      const count = index.countAt(placeIndex)
      points = new Float64Array(count * 2)
      for (let n = 0; n < count; n++) {
        const { lat, lon } = positionOf(place, n, count)
        points[n * 2] = lat
        points[n * 2 + 1] = lon
      }
      kept.set(placeIndex, points)
    }
    return points
  }
}
