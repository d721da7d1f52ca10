import { type Circle, distanceKm, type Point } from '../../src/lib/geo.ts'

/**
 * A circle over nearly all the points: the middle of their box after the outermost two in a hundred on each side
 * are left out (far islands would move it), reaching to the farthest that remains.
 */
export function extentOf(points: readonly Point[]): Circle {
  const lats = points.map((point) => point.lat).sort((a, b) => a - b)
  const lons = points.map((point) => point.lon).sort((a, b) => a - b)
  const crossesDateLine = at(lons, 0.98) - at(lons, 0.02) > 180
  const turned = crossesDateLine ? lons.map((lon) => (lon < 0 ? lon + 360 : lon)).sort((a, b) => a - b) : lons
  const middleLon = (at(turned, 0.02) + at(turned, 0.98)) / 2
  const center = {
    lat: (at(lats, 0.02) + at(lats, 0.98)) / 2,
    lon: middleLon > 180 ? middleLon - 360 : middleLon,
  }
  const distances = points.map((point) => distanceKm(center, point)).sort((a, b) => a - b)
  return { center, radiusKm: Math.ceil(at(distances, 0.97)) + 5 }
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0

/** The value that carries most weight; the earlier one of equals. */
export function heaviest<T>(items: readonly T[], keyOf: (item: T) => string, weightOf: (item: T) => number): string {
  const weights = new Map<string, number>()
  for (const item of items) weights.set(keyOf(item), (weights.get(keyOf(item)) ?? 0) + weightOf(item))
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
