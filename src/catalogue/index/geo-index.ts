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

/** A property near a point, with the numbers under which its vendors sell it. */
export type Candidate = PropertyEntry & { readonly distanceKm: number }

/** As text, the vendors of a million properties take a fraction of the memory. */
type Row = { readonly propertyId: string; readonly lat: number; readonly lon: number; readonly vendors: string }

const grid = createEarthGrid(0.1)
/** A circle over more cells than this looks through the whole tail instead. */
const CELLS_MAX = 2_000
/** The tree keeps rounded coordinates; what lies this close to the rim is measured exactly. */
const ROUNDING_KM = 0.005
const TAIL_MIN = 2_000

/**
 * Where every property is. Most rows lie in a static tree; what came since it was built lies in the tail, found
 * through a grid, so an addition is seen at once. When the tail has grown by a quarter, a new tree is built beside the
 * old one and takes its place. Rows are only ever added: a property that changes gets a new row, and its old one is
 * emptied.
 */
export class GeoIndex {
  readonly #tailMin: number
  readonly #rows: (Row | undefined)[] = []
  readonly #rowOf = new Map<string, number>()
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
    const at = this.#rowOf.get(propertyId)
    if (at !== undefined) {
      const old = this.#rows[at]
      // Most changes of content move nothing.
      if (old?.lat === lat && old.lon === lon && old.vendors === row.vendors) return
      this.#rows[at] = undefined
      this.#rowOf.delete(propertyId)
    }
    if (vendors.length === 0) return
    this.#rowOf.set(propertyId, this.#rows.length)
    addToCell(this.#tail, row, this.#rows.push(row) - 1)
  }

  /** Builds the tree again when the tail has become long; answers when that is done. */
  settle(): Promise<void> {
    const tailLength = this.#rows.length - this.#inTree
    this.#building ??= tailLength > Math.max(this.#tailMin, this.#inTree / 4) ? this.#rebuild() : undefined
    return this.#building ?? Promise.resolve()
  }

  async #rebuild(): Promise<void> {
    const count = this.#rows.length
    const coordinates: Coordinates = new Float32Array(count * 2)
    for (let at = 0; at < count; at += 1) {
      coordinates[at * 2] = this.#rows[at]?.lon ?? 0
      coordinates[at * 2 + 1] = this.#rows[at]?.lat ?? 0
    }
    try {
      this.#tree = await buildTree(coordinates)
      this.#inTree = count
      this.#tail = new Map()
      for (let at = count; at < this.#rows.length; at += 1) {
        const row = this.#rows[at]
        if (row !== undefined) addToCell(this.#tail, row, at)
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
        : around(this.#tree, center.lon, center.lat, limit, radiusKm + ROUNDING_KM, (at) => isWanted(this.#rows[at]))
    const near: { at: number; row: Row; km: number }[] = []
    for (const at of [...inTree, ...this.#inTail(circle)]) {
      const row = this.#rows[at]
      if (!isWanted(row)) continue
      const km = distanceKm(center, row)
      if (km <= radiusKm) near.push({ at, row, km })
    }
    near.sort((a, b) => a.km - b.km || a.at - b.at)
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
    return this.#rowOf.size
  }

  /** So many rows are empty that reading everything again is worth it. */
  hasManyEmptyRows(): boolean {
    return this.#rows.length - this.#rowOf.size > Math.max(50_000, this.#rows.length * 0.4)
  }
}

function addToCell(cells: Map<number, number[]>, point: Point, at: number): void {
  const cell = grid.cellOf(point)
  const rows = cells.get(cell)
  if (rows === undefined) cells.set(cell, [at])
  else rows.push(at)
}
