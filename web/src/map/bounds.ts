import { nearestLongitude } from './longitude.ts'

export type Point = { readonly lat: number; readonly lon: number }
export type Box = { readonly south: number; readonly west: number; readonly north: number; readonly east: number }

/** Ignores outliers, such as one distant property. Across the 180th meridian, east or west exceeds 180 degrees. */
export function fitBox(points: readonly Point[]): Box | undefined {
  const [first] = points
  if (first === undefined) return undefined
  const [west, east] = centralRange(points.map(({ lon }) => nearestLongitude(lon, first.lon)))
  const [south, north] = centralRange(points.map(({ lat }) => lat))
  return { south, west, north, east }
}

function centralRange(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b)
  const quantile = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  return sorted.length < 8 ? [quantile(0), quantile(1)] : [quantile(0.03), quantile(0.97)]
}

/** Must equal `RADIUS_KM` in src/search/schemas/search-request.ts; a test compares them. */
export const AREA_RADIUS_KM = { min: 0.5, max: 100 } as const

const KM_PER_DEGREE = 111.2

/** Kilometres from the middle of a box to its farthest corner. */
export function measureRadius({ south, west, north, east }: Box): number {
  const widest = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north))
  const width = (east - west) * Math.cos((widest * Math.PI) / 180)
  return (Math.hypot(north - south, width) * KM_PER_DEGREE) / 2
}
