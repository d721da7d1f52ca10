import { memoize } from '../../../src/lib/async/memoize.ts'
import { itemAt } from '../hash.ts'
import type { PlaceIndex } from './place-index.ts'
import { computePosition } from './position.ts'

/** Alternating latitudes and longitudes of all properties of a place. */
export type Positions = (placeIndex: number) => Float64Array

/** Several megabytes at most: an average place has six properties. */
const PLACES_KEPT = 8192

/** Caches the most recent places, because searches repeat the same towns. */
export function createPositions(index: PlaceIndex): Positions {
  return memoize(PLACES_KEPT, (placeIndex: number) => {
    const place = itemAt(index.places, placeIndex)
    const count = index.countAt(placeIndex)
    const points = new Float64Array(count * 2)
    for (let n = 0; n < count; n++) {
      const { lat, lon } = computePosition(place, n, count)
      points[n * 2] = lat
      points[n * 2 + 1] = lon
    }
    return points
  })
}
