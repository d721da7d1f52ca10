import { type Circle, distanceKm, type Point } from '../../lib/geo.ts'
import type { Wire } from './read.ts'
import { pointOf } from './read-content.ts'

/** What a vendor answers for a circle; `isWhole` where that is all it has there. */
export type Listed<T> = { readonly found: readonly T[]; readonly isWhole: boolean }

/** No vendor takes less, and none has more there than fits into an answer. */
const RADIUS_MIN_KM = 1
/** Half of the area is left. */
const NARROWER = 0.7
/** Nothing is farther away. */
const HALF_EARTH_KM = 20_016

/**
 * All that a vendor has in a circle. A list that is too long is cut in an order of the vendor's own, which is not that of the
 * distance: then a smaller circle is asked for, until nothing is missing in it. That circle comes back with what is in it.
 */
export async function readWhole<T>(
  asked: Circle,
  read: (circle: Circle) => Promise<Listed<T>>,
): Promise<{ readonly circle: Circle; readonly found: readonly T[] }> {
  let circle = asked
  for (;;) {
    const { found, isWhole } = await read(circle)
    if (isWhole || circle.radiusKm <= RADIUS_MIN_KM) return { circle, found }
    circle = { ...circle, radiusKm: Math.max(RADIUS_MIN_KM, circle.radiusKm * NARROWER) }
  }
}

/** The circle as far as a vendor takes its radius. */
export const within = ({ center, radiusKm }: Circle, maxKm: number): Circle => ({
  center,
  radiusKm: Math.min(radiusKm, maxKm),
})

/** The nearest first, by `latitude` and `longitude`; those of unknown place come last. */
export function nearestFirst(items: readonly Wire[], center: Point): Wire[] {
  const kmTo = (item: Wire): number => {
    const point = pointOf(item)
    return point === undefined ? HALF_EARTH_KM : distanceKm(center, point)
  }
  return items
    .map((item) => ({ item, km: kmTo(item) }))
    .sort((a, b) => a.km - b.km)
    .map(({ item }) => item)
}
