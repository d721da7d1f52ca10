import type { Point } from '../../lib/geo.ts'
import type { VendorRef } from '../../store/catalogue.ts'
import { PROPERTY_ID_BYTES, propertyIdFrom, writePropertyId } from '../property-id.ts'

export type PropertyEntry = {
  readonly propertyId: string
  readonly point: Point
  readonly vendors: readonly VendorRef[]
}

export type PropertyColumns = ReturnType<typeof createPropertyColumns>

/** A degree in whole units of about a centimetre. */
const UNITS = 1e7
const GROWTH = 1.25

/**
 * Properties as columns of bytes instead of objects: some 55 bytes each where objects take several hundred. Rows are
 * only ever added; a property that changes gets a new row, and its old one is marked dead.
 */
export function createPropertyColumns(capacity = 1_024) {
  let lats = new Int32Array(capacity)
  let lons = new Int32Array(capacity)
  let ids = new Uint8Array(capacity * PROPERTY_ID_BYTES)
  let dead = new Uint8Array(capacity)
  let refEnds = new Uint32Array(capacity)
  let refs = Buffer.allocUnsafe(capacity * 24)
  const vendorIds: string[] = []
  const slots = createSlots(capacity)
  let size = 0
  let deadCount = 0

  function grow(): void {
    const next = Math.ceil(lats.length * GROWTH) + 1
    lats = resized(lats, new Int32Array(next))
    lons = resized(lons, new Int32Array(next))
    ids = resized(ids, new Uint8Array(next * PROPERTY_ID_BYTES))
    dead = resized(dead, new Uint8Array(next))
    refEnds = resized(refEnds, new Uint32Array(next))
  }

  /** Adds the row; false when the id is none of ours, which no index could find again. */
  function append({ propertyId, point, vendors }: PropertyEntry): boolean {
    if (size === lats.length) grow()
    if (!writePropertyId(propertyId, ids, size * PROPERTY_ID_BYTES)) return false
    lats[size] = Math.round(point.lat * UNITS)
    lons[size] = Math.round(point.lon * UNITS)
    const start = size === 0 ? 0 : (refEnds[size - 1] ?? 0)
    refEnds[size] = start + writeRefs(vendors, start)
    size += 1
    slots.add(size - 1, hashOf(ids, size - 1), (row) => hashOf(ids, row))
    return true
  }

  /** Each vendor as one character for its place in the list, then its id, then a line end. */
  function writeRefs(vendors: readonly VendorRef[], start: number): number {
    const text = vendors
      .map((ref) => `${String.fromCharCode(32 + vendorNumber(ref.vendorId))}${ref.vendorPropertyId}\n`)
      .join('')
    const length = Buffer.byteLength(text)
    if (start + length > refs.length) {
      const next = Buffer.allocUnsafe(Math.ceil((start + length) * GROWTH))
      refs.copy(next, 0, 0, start)
      refs = next
    }
    return refs.write(text, start)
  }

  function vendorNumber(vendorId: string): number {
    const known = vendorIds.indexOf(vendorId)
    return known === -1 ? vendorIds.push(vendorId) - 1 : known
  }

  function vendorsAt(row: number): VendorRef[] {
    const text = refs.toString('utf8', row === 0 ? 0 : refEnds[row - 1], refEnds[row])
    return text
      .split('\n')
      .slice(0, -1)
      .map((ref) => ({ vendorId: vendorIds[ref.charCodeAt(0) - 32] ?? '', vendorPropertyId: ref.slice(1) }))
  }

  const probe = new Uint8Array(PROPERTY_ID_BYTES)

  return {
    append,
    size: () => size,
    deadCount: () => deadCount,
    isDead: (row: number): boolean => dead[row] === 1,
    lat: (row: number): number => (lats[row] ?? 0) / UNITS,
    lon: (row: number): number => (lons[row] ?? 0) / UNITS,
    propertyId: (row: number): string => propertyIdFrom(ids, row * PROPERTY_ID_BYTES),

    vendors: vendorsAt,

    /** Whether the row already says this; most changes of content move nothing. */
    holds(row: number, { point, vendors }: PropertyEntry): boolean {
      if (lats[row] !== Math.round(point.lat * UNITS) || lons[row] !== Math.round(point.lon * UNITS)) return false
      const before = vendorsAt(row)
      return (
        before.length === vendors.length &&
        before.every(
          (ref, at) => ref.vendorId === vendors[at]?.vendorId && ref.vendorPropertyId === vendors[at]?.vendorPropertyId,
        )
      )
    },

    /** The living row of the property, or -1. */
    rowOf(propertyId: string): number {
      if (!writePropertyId(propertyId, probe, 0)) return -1
      return slots.find(hashOf(probe, 0), (row) => dead[row] === 0 && sameId(ids, row, probe))
    },

    kill(row: number): void {
      if (dead[row] === 1) return
      dead[row] = 1
      deadCount += 1
    },

    bytes: (): number =>
      lats.byteLength * 2 + ids.byteLength + dead.byteLength + refEnds.byteLength + refs.length + slots.bytes(),
  }
}

/** An open-addressing table of row numbers; ids are hashes already, so their first bytes spread well. */
function createSlots(expected: number) {
  let table = emptyTable(expected)
  let used = 0

  function put(row: number, hash: number): void {
    let slot = hash & (table.length - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
    table[slot] = row + 1
  }

  return {
    add(row: number, hash: number, hashAt: (row: number) => number): void {
      used += 1
      if (used > table.length * 0.7) {
        const rows = table.filter((entry) => entry !== 0)
        table = emptyTable(used)
        for (const entry of rows) put(entry - 1, hashAt(entry - 1))
      }
      put(row, hash)
    },
    find(hash: number, fits: (row: number) => boolean): number {
      for (let slot = hash & (table.length - 1); ; slot = (slot + 1) & (table.length - 1)) {
        const entry = table[slot] ?? 0
        if (entry === 0) return -1
        if (fits(entry - 1)) return entry - 1
      }
    },
    bytes: () => table.byteLength,
  }
}

const emptyTable = (expected: number) => new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(16, expected * 1.6))))

function hashOf(ids: Uint8Array, row: number): number {
  const at = row * PROPERTY_ID_BYTES
  return (((ids[at] ?? 0) << 24) | ((ids[at + 1] ?? 0) << 16) | ((ids[at + 2] ?? 0) << 8) | (ids[at + 3] ?? 0)) >>> 0
}

function sameId(ids: Uint8Array, row: number, id: Uint8Array): boolean {
  const at = row * PROPERTY_ID_BYTES
  for (let byte = 0; byte < PROPERTY_ID_BYTES; byte += 1) if (ids[at + byte] !== id[byte]) return false
  return true
}

function resized<T extends Int32Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from)
  return to
}
