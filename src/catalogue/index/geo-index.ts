import { around } from 'geokdbush'
import type KDBush from 'kdbush'
import { type Circle, distanceKm, type Point } from '../../lib/geo.ts'
import type { VendorRef } from '../../store/catalogue.ts'
import { createEarthGrid } from '../earth-grid.ts'
import { buildTree, type Coordinates } from './build-tree.ts'
import { createPropertyColumns, type PropertyEntry } from './property-columns.ts'

/** A property near a point, with the numbers under which its vendors sell it. */
export type Candidate = {
  readonly propertyId: string
  readonly point: Point
  readonly distanceKm: number
  readonly vendors: readonly VendorRef[]
}

export type GeoIndex = ReturnType<typeof createGeoIndex>

const grid = createEarthGrid(0.1)
/** A circle over more cells than this looks through the whole tail instead. */
const CELLS_MAX = 2_000
/** The tree keeps rounded coordinates; what lies this close to the rim is measured exactly. */
const ROUNDING_KM = 0.005

/**
 * Where every property is. Most rows lie in a static tree; what came since it was built lies in the tail, found
 * through a grid, so an addition is seen at once. When the tail has grown by a quarter, a new tree is built beside the
 * old one and takes its place.
 */
export function createGeoIndex(options: { readonly tailMin?: number } = {}) {
  const tailMin = options.tailMin ?? 2_000
  const columns = createPropertyColumns()
  let tree: KDBush | undefined
  let inTree = 0
  let tail = new Map<number, number[]>()
  let building: Promise<void> | undefined

  function put(entry: PropertyEntry): void {
    const old = columns.rowOf(entry.propertyId)
    if (old !== -1) {
      if (columns.holds(old, entry)) return
      columns.kill(old)
    }
    if (entry.vendors.length === 0 || !columns.append(entry)) return
    addToTail(tail, columns.size() - 1)
  }

  function addToTail(cells: Map<number, number[]>, row: number): void {
    const cell = grid.cellOf({ lat: columns.lat(row), lon: columns.lon(row) })
    const rows = cells.get(cell)
    if (rows === undefined) cells.set(cell, [row])
    else rows.push(row)
  }

  /** Builds the tree anew when the tail has become long; answers when that is done. */
  function settle(): Promise<void> {
    building ??= columns.size() - inTree > Math.max(tailMin, inTree / 4) ? rebuild() : undefined
    return building ?? Promise.resolve()
  }

  async function rebuild(): Promise<void> {
    const rows = columns.size()
    const coordinates: Coordinates = new Float32Array(rows * 2)
    for (let row = 0; row < rows; row += 1) {
      coordinates[row * 2] = columns.lon(row)
      coordinates[row * 2 + 1] = columns.lat(row)
    }
    try {
      tree = await buildTree(coordinates)
      inTree = rows
      const fresh = new Map<number, number[]>()
      for (let row = rows; row < columns.size(); row += 1) addToTail(fresh, row)
      tail = fresh
    } finally {
      building = undefined
    }
  }

  function candidates(circle: Circle, limit: number): Candidate[] {
    const { center, radiusKm } = circle
    const rows = tree === undefined ? [] : around(tree, center.lon, center.lat, limit, radiusKm + ROUNDING_KM, isLiving)
    const near: { row: number; km: number }[] = []
    const consider = (row: number) => {
      const km = distanceKm(center, { lat: columns.lat(row), lon: columns.lon(row) })
      if (km <= radiusKm) near.push({ row, km })
    }
    for (const row of rows) consider(row)
    for (const row of tailRows(circle)) if (isLiving(row)) consider(row)
    near.sort((a, b) => a.km - b.km || a.row - b.row)
    return near.slice(0, limit).map(({ row, km }) => ({
      propertyId: columns.propertyId(row),
      point: { lat: columns.lat(row), lon: columns.lon(row) },
      distanceKm: km,
      vendors: columns.vendors(row),
    }))
  }

  const isLiving = (row: number): boolean => !columns.isDead(row)

  function* tailRows(circle: Circle): Generator<number> {
    if (tail.size === 0) return
    const cells = grid.touching(circle, CELLS_MAX)
    if (cells === undefined) for (const rows of tail.values()) yield* rows
    else for (const cell of cells) yield* tail.get(cell) ?? []
  }

  return {
    put,
    settle,
    candidates,
    vendorsOf(propertyId: string): VendorRef[] | undefined {
      const row = columns.rowOf(propertyId)
      return row === -1 ? undefined : columns.vendors(row)
    },
    size: (): number => columns.size() - columns.deadCount(),
    /** So many rows are dead that reading everything anew is worth it. */
    isWorn: (): boolean => columns.deadCount() > Math.max(50_000, columns.size() * 0.4),
    bytes: (): number => columns.bytes() + (tree?.data.byteLength ?? 0),
  }
}
