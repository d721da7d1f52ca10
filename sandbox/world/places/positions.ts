import { remember } from '../../../src/lib/async/remember.ts'
import { at } from '../hash.ts'
import type { PlaceIndex } from './place-index.ts'
import { positionOf } from './position.ts'

/** Latitudes and longitudes of all properties of a place, alternating. */
export type Positions = (placeIndex: number) => Float64Array

/** Several megabytes at most: an average place has six properties. */
const PLACES_KEPT = 8192

/** Searches come back to the same towns, so the latest are kept. */
export function createPositions(index: PlaceIndex): Positions {
  return remember(PLACES_KEPT, (placeIndex: number) => {
    const place = at(index.places, placeIndex)
    const count = index.countAt(placeIndex)
    const points = new Float64Array(count * 2)
    for (let n = 0; n < count; n++) {
      const { lat, lon } = positionOf(place, n, count)
      points[n * 2] = lat
      points[n * 2 + 1] = lon
    }
    return points
  })
}
