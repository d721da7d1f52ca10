import { type Circle, distanceKm, type Point } from '../../lib/geo.ts'
import type { Wire } from './read.ts'
import { readPoint } from './read-content.ts'

/** Properties in a circle; `isComplete` unless the vendor truncated the list. */
export type Listed<T> = { readonly found: readonly T[]; readonly isComplete: boolean }

/** Every vendor accepts this radius, and no list for it is truncated. */
const RADIUS_MIN_KM = 1
/** Halves the area. */
const SHRINK_FACTOR = 0.7
const HALF_EARTH_KM = 20_016

/**
 * Reads all properties in a circle. If the list is truncated, which vendors do in any order, a smaller circle is read;
 * the result contains the circle that was complete.
 */
export async function shrinkUntilComplete<T>(
  requested: Circle,
  read: (circle: Circle) => Promise<Listed<T>>,
): Promise<{ readonly circle: Circle; readonly found: readonly T[] }> {
  let circle = requested
  for (;;) {
    const { found, isComplete } = await read(circle)
    if (isComplete || circle.radiusKm <= RADIUS_MIN_KM) return { circle, found }
    circle = { ...circle, radiusKm: Math.max(RADIUS_MIN_KM, circle.radiusKm * SHRINK_FACTOR) }
  }
}

export const limitRadius = ({ center, radiusKm }: Circle, maxKm: number): Circle => ({
  center,
  radiusKm: Math.min(radiusKm, maxKm),
})

/** Sorts by distance; items without coordinates come last. */
export function nearestFirst(items: readonly Wire[], center: Point): Wire[] {
  const kmTo = (item: Wire): number => {
    const point = readPoint(item)
    return point === undefined ? HALF_EARTH_KM : distanceKm(center, point)
  }
  return items
    .map((item) => ({ item, km: kmTo(item) }))
    .sort((a, b) => a.km - b.km)
    .map(({ item }) => item)
}
