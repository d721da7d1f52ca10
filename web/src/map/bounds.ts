import { besideLongitude } from './longitude.ts'

export type Point = { readonly lat: number; readonly lon: number }
export type Box = { readonly south: number; readonly west: number; readonly north: number; readonly east: number }

/**
 * Around all points except outliers, so that one distant property does not shrink the city to a dot. Across the 180th meridian
 * its east or west lies beyond 180 degrees.
 */
export function boxAround(points: readonly Point[]): Box | undefined {
  const [first] = points
  if (first === undefined) return undefined
  const [west, east] = span(points.map(({ lon }) => besideLongitude(lon, first.lon)))
  const [south, north] = span(points.map(({ lat }) => lat))
  return { south, west, north, east }
}

function span(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  return sorted.length < 8 ? [at(0), at(1)] : [at(0.03), at(0.97)]
}
