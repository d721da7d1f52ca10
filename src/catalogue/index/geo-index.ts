import { around } from 'geokdbush'
import type KDBush from 'kdbush'
import { type Circle, distanceKm, isInBox, type Point, type Region } from '../../lib/geo.ts'
import { decodeRefs, encodeRefs } from '../properties/stored-content.ts'
import type { VendorRef } from '../store/catalogue.ts'
import { buildTree, type Coordinates } from './build-tree.ts'
import { createEarthGrid } from './earth-grid.ts'

export type PropertyEntry = {
  readonly propertyId: string
  readonly point: Point
  /** The founder first. */
  readonly vendors: readonly VendorRef[]
}

/** A property near a point, with its vendors' ids. */
export type Candidate = PropertyEntry & { readonly distanceKm: number }

/** Vendors are encoded as text, which takes a fraction of the memory. */
type Row = { readonly propertyId: string; readonly lat: number; readonly lon: number; readonly vendors: string }

const grid = createEarthGrid(0.1)
/** A circle over more cells scans the whole tail. */
const CELLS_MAX = 2_000
/** Tolerance for the tree's rounded coordinates; exact distances are checked afterwards. */
const ROUNDING_KM = 0.005
const TAIL_MIN = 2_000

/**
 * Most rows are in a static tree; newer ones are in the tail, a grid, until it reaches a quarter and the tree is rebuilt.
 * Rows are append-only: a changed property gets a new row, and its old one is emptied.
 */
export class GeoIndex {
  readonly #tailMin: number
  readonly #rows: (Row | undefined)[] = []
  readonly #rowByProperty = new Map<string, number>()
  #tree: KDBush | undefined
  #inTree = 0
  #tail = new Map<number, number[]>()
  #building: Promise<void> | undefined

  constructor(tailMin = TAIL_MIN) {
    this.#tailMin = tailMin
  }

  /** Adds, changes or, without vendors, removes a property. */
  put({ propertyId, point: { lat, lon }, vendors }: PropertyEntry): void {
    const row: Row = { propertyId, lat, lon, vendors: encodeRefs(vendors) }
    const index = this.#rowByProperty.get(propertyId)
    if (index !== undefined) {
      const old = this.#rows[index]
      // Most content changes affect neither location nor vendors.
      if (old?.lat === lat && old.lon === lon && old.vendors === row.vendors) return
      this.#rows[index] = undefined
      this.#rowByProperty.delete(propertyId)
    }
    if (vendors.length === 0) return
    this.#rowByProperty.set(propertyId, this.#rows.length)
    addToCell(this.#tail, row, this.#rows.push(row) - 1)
  }

  /** Rebuilds the tree if the tail is long; resolves when done. */
  settle(): Promise<void> {
    const tailLength = this.#rows.length - this.#inTree
    this.#building ??= tailLength > Math.max(this.#tailMin, this.#inTree / 4) ? this.#rebuild() : undefined
    return this.#building ?? Promise.resolve()
  }

  async #rebuild(): Promise<void> {
    const count = this.#rows.length
    const coordinates: Coordinates = new Float32Array(count * 2)
    for (let index = 0; index < count; index += 1) {
      coordinates[index * 2] = this.#rows[index]?.lon ?? 0
      coordinates[index * 2 + 1] = this.#rows[index]?.lat ?? 0
    }
    try {
      this.#tree = await buildTree(coordinates)
      this.#inTree = count
      this.#tail = new Map()
      for (let index = count; index < this.#rows.length; index += 1) {
        const row = this.#rows[index]
        if (row !== undefined) addToCell(this.#tail, row, index)
      }
    } finally {
      this.#building = undefined
    }
  }

  /** Nearest first. */
  candidates(circle: Region, limit: number): Candidate[] {
    const { center, radiusKm, box } = circle
    const isWanted = (row: Row | undefined): row is Row => row !== undefined && (box === undefined || isInBox(box, row))
    const inTree =
      this.#tree === undefined
        ? []
        : around(this.#tree, center.lon, center.lat, limit, radiusKm + ROUNDING_KM, (index) =>
            isWanted(this.#rows[index]),
          )
    const near: { index: number; row: Row; km: number }[] = []
    for (const index of [...inTree, ...this.#inTail(circle)]) {
      const row = this.#rows[index]
      if (!isWanted(row)) continue
      const km = distanceKm(center, row)
      if (km <= radiusKm) near.push({ index, row, km })
    }
    near.sort((a, b) => a.km - b.km || a.index - b.index)
    return near.slice(0, limit).map(({ row: { propertyId, lat, lon, vendors }, km }) => ({
      propertyId,
      point: { lat, lon },
      distanceKm: km,
      vendors: decodeRefs(vendors),
    }))
  }

  #inTail(circle: Circle): number[] {
    if (this.#tail.size === 0) return []
    const cells = grid.touching(circle, CELLS_MAX) ?? [...this.#tail.keys()]
    return cells.flatMap((cell) => this.#tail.get(cell) ?? [])
  }

  size(): number {
    return this.#rowByProperty.size
  }

  /** True if so many rows are empty that a full reload is worth it. */
  hasManyEmptyRows(): boolean {
    return this.#rows.length - this.#rowByProperty.size > Math.max(50_000, this.#rows.length * 0.4)
  }
}

function addToCell(cells: Map<number, number[]>, point: Point, index: number): void {
  const cell = grid.findCell(point)
  const rows = cells.get(cell)
  if (rows === undefined) cells.set(cell, [index])
  else rows.push(index)
}
