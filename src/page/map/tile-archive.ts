import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const MAP_FILE = join(import.meta.dirname, '..', '..', '..', 'data', 'map.bin')

/** One square of the map, as maps number them: `z` halves the sides of the world, `x` counts from the west, `y` from the north. */
export type TileKey = { readonly z: number; readonly x: number; readonly y: number }

/** A gzipped vector tile; undefined where there is none. */
export type TileArchive = (key: TileKey) => Buffer | undefined

const ENTRY_BYTES = 16

/**
 * Opens the archive of vector tiles. The file: the length of the table, the table (gzipped), then the tiles, each gzipped. The table:
 * how many, then for each `z` (4 bytes), `x`, `y` (2 each), where its tile begins and how long it is (4 each), all little-endian.
 * Tiles that are equal are kept once.
 */
export function openTileArchive(): TileArchive {
  const file = readFileSync(MAP_FILE)
  const tableEnd = 4 + file.readUInt32LE(0)
  const table = gunzipSync(file.subarray(4, tableEnd))
  const entryOf = new Map<string, number>()
  for (let entry = 0; entry < table.readUInt32LE(0); entry += 1) {
    const at = 4 + entry * ENTRY_BYTES
    entryOf.set(nameOf({ z: table.readUInt32LE(at), x: table.readUInt16LE(at + 4), y: table.readUInt16LE(at + 6) }), at)
  }
  return (key) => {
    const at = entryOf.get(nameOf(key))
    if (at === undefined) return undefined
    const start = tableEnd + table.readUInt32LE(at + 8)
    return file.subarray(start, start + table.readUInt32LE(at + 12))
  }
}

const nameOf = ({ z, x, y }: TileKey): string => `${z}/${x}/${y}`
