import type { Circle } from '../../lib/geo.ts'

/** Closed line of `[longitude, latitude]`. */
export type Ring = readonly (readonly [lon: number, lat: number])[]

/** Rapid limits the polygon's diagonal to 500 km. */
export const RADIUS_MAX_KM = 170

const CORNERS = 32
const KM_PER_DEGREE = 111.19
const LATITUDE_MAX = 89.9

/**
 * Polygons that enclose a circle, counter-clockwise. A polygon must not cross the 180th meridian, so it is split in
 * two.
 */
export function ringsAround({ center, radiusKm }: Circle): Ring[] {
  // The sides of the polygon touch the circle; 1 % more covers the varying length of a degree.
  const reach = (radiusKm * 1.01) / Math.cos(Math.PI / CORNERS) / KM_PER_DEGREE
  const corners = Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const angle = (2 * Math.PI * (corner % CORNERS)) / CORNERS
    const lat = clamp(center.lat + reach * Math.sin(angle), LATITUDE_MAX)
    const lon = center.lon + (reach * Math.cos(angle)) / Math.sqrt(cosine(center.lat) * cosine(lat))
    return [lon, lat] as const
  })
  return [0, 360, -360].flatMap((turn) => {
    const ring = corners.map(([lon, lat]) => [rounded(clamp(lon + turn, 180)), rounded(lat)] as const)
    return new Set(ring.map(([lon]) => lon)).size > 1 ? [ring] : []
  })
}

const cosine = (degrees: number): number => Math.cos((degrees * Math.PI) / 180)
const clamp = (degrees: number, max: number): number => Math.max(-max, Math.min(max, degrees))
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6
