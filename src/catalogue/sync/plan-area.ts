import { type Circle, distanceKm, type Point } from '../../lib/geo.ts'
import { createEarthGrid } from '../index/earth-grid.ts'

/** A search circle, rounded so that nearly equal ones share their content. */
export type Area = {
  readonly key: string
  /** Requested from vendors; contains every circle with the same key. */
  readonly circle: Circle
  /** Cells that the circle touches; once all are read, so is the area. Undefined for very large ones. */
  readonly cells: readonly string[] | undefined
}

/** Key of a vendor's finished full feed. */
export const WHOLE_EARTH = 'earth'

/** Cells of about 2.8 km: small compared with a search circle, so that few are only partly covered. */
const grid = createEarthGrid(0.025)
const CELLS_MAX = 600
const ROUNDING_KM = 1

/** Areas read with different limits are distinct. */
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

/** Circle that is complete although the vendor stopped at the limit: it returns the nearest properties first. */
export function findCompleteCircle({ circle: { center, radiusKm } }: Area, points: readonly Point[]): Circle {
  const farthestKm = points.reduce((far, point) => Math.max(far, distanceKm(center, point)), 0)
  return { center, radiusKm: Math.min(radiusKm, farthestKm) }
}

/** Cells that are entirely inside the circle. */
export function cellsWithin({ center, radiusKm }: Circle): string[] {
  const cells = grid.touching({ center, radiusKm }, CELLS_MAX) ?? []
  return cells.filter((cell) => grid.farthestKm(cell, center) <= radiusKm).map(cellKey)
}

const cellKey = (cell: number) => `cell:${cell}`

export function holds(outer: Circle, inner: Circle): boolean {
  return distanceKm(outer.center, inner.center) + inner.radiusKm <= outer.radiusKm
}
