import { type Circle, distanceKm, type Point } from '../../lib/geo.ts'
import { createEarthGrid } from '../index/earth-grid.ts'

/** A search circle, rounded so that nearly equal ones are one, and how its content is asked for and remembered. */
export type Area = {
  readonly key: string
  /** What vendors are asked for: holds every circle with the same key. */
  readonly circle: Circle
  /** Cells the circle touches: an area whose cells have all been visited is known. Undefined for very large ones. */
  readonly cells: readonly string[] | undefined
}

/** The key under which a vendor's finished whole feed is remembered. */
export const WHOLE_EARTH = 'earth'

/** Cells of some 2.8 km: small against a search circle, so that most of what a visit has read counts as visited. */
const grid = createEarthGrid(0.025)
const CELLS_MAX = 600
const ROUNDING_KM = 1

/** `limit`: how many properties are read of it at most; an area that was read for fewer is another one. */
export function planArea({ center, radiusKm }: Circle, limit: number): Area {
  const lat = Math.round(center.lat * 100) / 100
  const lon = Math.round(center.lon * 100) / 100
  const radius = Math.max(1, Math.ceil(radiusKm))
  const circle = { center: { lat, lon }, radiusKm: radius + ROUNDING_KM }
  return {
    key: `circle:${lat},${lon},${radius},${limit}`,
    circle,
    cells: grid.touching(circle, CELLS_MAX)?.map(cellKey),
  }
}

/**
 * The circle that was read completely where the vendor stopped at the limit: it gave the nearest ones (that is what `area`
 * asks for), so all that is nearer than the farthest of them is known.
 */
export function reachOf({ circle: { center, radiusKm } }: Area, points: readonly Point[]): Circle {
  const farthestKm = points.reduce((far, point) => Math.max(far, distanceKm(center, point)), 0)
  return { center, radiusKm: Math.min(radiusKm, farthestKm) }
}

/** The cells that lie in a circle as a whole. */
export function cellsWithin({ center, radiusKm }: Circle): string[] {
  const cells = grid.touching({ center, radiusKm }, CELLS_MAX) ?? []
  return cells.filter((cell) => grid.farthestKm(cell, center) <= radiusKm).map(cellKey)
}

const cellKey = (cell: number) => `cell:${cell}`

export function holds(outer: Circle, inner: Circle): boolean {
  return distanceKm(outer.center, inner.center) + inner.radiusKm <= outer.radiusKm
}
