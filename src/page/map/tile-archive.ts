import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const MAP_FILE = join(import.meta.dirname, '..', '..', '..', 'data', 'map.bin')

/** Tile number: `x` counts from the west, `y` from the north. */
export type TileKey = { readonly z: number; readonly x: number; readonly y: number }

/** Returns a gzipped vector tile, or undefined for an empty one. */
export type TileArchive = (key: TileKey) => Buffer | undefined

const ENTRY_BYTES = 16

/**
 * File: length of the gzipped table, the table, then the gzipped tiles; equal tiles are stored once. Table: count, then
 * per tile `z` (4 bytes), `x`, `y` (2 each), offset and length (4 each), little-endian.
 */
export function openTileArchive(): TileArchive {
  const file = readFileSync(MAP_FILE)
  const tableEnd = 4 + file.readUInt32LE(0)
  const table = gunzipSync(file.subarray(4, tableEnd))
  const offsets = new Map<string, number>()
  for (let entry = 0; entry < table.readUInt32LE(0); entry += 1) {
    const offset = 4 + entry * ENTRY_BYTES
    const [z, x, y] = [table.readUInt32LE(offset), table.readUInt16LE(offset + 4), table.readUInt16LE(offset + 6)]
    offsets.set(toName({ z, x, y }), offset)
  }
  return (key) => {
    const offset = offsets.get(toName(key))
    if (offset === undefined) return undefined
    const start = tableEnd + table.readUInt32LE(offset + 8)
    return file.subarray(start, start + table.readUInt32LE(offset + 12))
  }
}

const toName = ({ z, x, y }: TileKey): string => `${z}/${x}/${y}`
