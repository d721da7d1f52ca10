import { type Circle, distanceKm, type Point } from '../../src/lib/geo.ts'

/**
 * A circle around nearly all points: the centre of their bounding box without the outermost 2 % on each side (distant
 * islands would move it), extended to the farthest remaining point.
 */
export function computeExtent(points: readonly Point[]): Circle {
  const lats = points.map((point) => point.lat).sort((a, b) => a - b)
  const lons = points.map((point) => point.lon).sort((a, b) => a - b)
  const crossesDateLine = quantile(lons, 0.98) - quantile(lons, 0.02) > 180
  const turned = crossesDateLine ? lons.map((lon) => (lon < 0 ? lon + 360 : lon)).sort((a, b) => a - b) : lons
  const middleLon = (quantile(turned, 0.02) + quantile(turned, 0.98)) / 2
  const center = {
    lat: (quantile(lats, 0.02) + quantile(lats, 0.98)) / 2,
    lon: middleLon > 180 ? middleLon - 360 : middleLon,
  }
  const distances = points.map((point) => distanceKm(center, point)).sort((a, b) => a - b)
  return { center, radiusKm: Math.ceil(quantile(distances, 0.97)) + 5 }
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.round(share * (sorted.length - 1))] ?? 0

/** The value with the largest total weight; the earlier one if equal. */
export function findHeaviest<T>(
  items: readonly T[],
  getKey: (item: T) => string,
  getWeight: (item: T) => number,
): string {
  const weights = new Map<string, number>()
  for (const item of items) weights.set(getKey(item), (weights.get(getKey(item)) ?? 0) + getWeight(item))
  let best = ''
  let bestWeight = Number.NEGATIVE_INFINITY
  for (const [value, weight] of weights) {
    if (weight > bestWeight) {
      best = value
      bestWeight = weight
    }
  }
  return best
}
