import type { Circle } from '../../lib/geo.ts'

/** A closed line of `[longitude, latitude]`. */
export type Ring = readonly (readonly [lon: number, lat: number])[]

/** The polygon's diagonal must be under 500 km; that of the box around this circle is. */
export const RADIUS_MAX_KM = 170

const CORNERS = 32
const KM_PER_DEGREE = 111.19
const LATITUDE_MAX = 89.9

/**
 * Polygons that hold a circle, counter-clockwise. One across the 180th meridian is asked for in two parts, because a polygon may
 * not cross it.
 */
export function ringsAround({ center, radiusKm }: Circle): Ring[] {
  // The sides of the polygon touch the circle; a little more, because a degree is not everywhere as long.
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
const clamp = (degrees: number, most: number): number => Math.max(-most, Math.min(most, degrees))
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6
