import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import type { Point } from '../../../src/lib/geo.ts'

/** Cells are 870 m high; a tile has 16 × 16 cells. */
export const CELLS_PER_DEGREE = 128
export const CELLS_PER_TILE = 16
export const TILE_COLUMNS = (360 * CELLS_PER_DEGREE) / CELLS_PER_TILE
const TILE_BYTES = (CELLS_PER_TILE * CELLS_PER_TILE) / 8
const ROW_BYTES = CELLS_PER_TILE / 8

type Mask = {
  /** Offset of the bitmap of each shore tile; -1 for a tile of open water. Tiles that are all land are absent. */
  readonly starts: ReadonlyMap<number, number>
  readonly bitmaps: Uint8Array
}
let mask: Mask | undefined

/** Returns true if the mask has land there. Far from any town it has no data and returns true. */
export function isLand({ lat, lon }: Point): boolean {
  mask ??= readMask()
  const x = Math.floor((lon + 180) * CELLS_PER_DEGREE)
  const y = Math.floor((lat + 90) * CELLS_PER_DEGREE)
  const tile = Math.floor(y / CELLS_PER_TILE) * TILE_COLUMNS + Math.floor(x / CELLS_PER_TILE)
  const start = mask.starts.get(tile)
  if (start === undefined) return true
  if (start < 0) return false
  const column = x % CELLS_PER_TILE
  const byte = mask.bitmaps[start + (y % CELLS_PER_TILE) * ROW_BYTES + (column >>> 3)] ?? 0
  return (byte & (1 << (column & 7))) !== 0
}

/** Water within half an hour's walk: at least two of twelve points around. */
export function isBySea({ lat, lon }: Point): boolean {
  const dLat = 3 / 111
  const dLon = dLat / Math.max(0.1, Math.cos((lat * Math.PI) / 180))
  let wet = 0
  for (let turn = 0; turn < 12; turn++) {
    const angle = (turn * Math.PI) / 6
    if (!isLand({ lat: lat + dLat * Math.cos(angle), lon: lon + dLon * Math.sin(angle) })) wet++
  }
  return wet >= 2
}

/**
 * The file (written by scripts/build-land-mask.ts) is brotli-compressed: the list of shore tiles, the list of sea
 * tiles, then one bitmap per shore tile from south to north, each row as its difference from the previous one.
 */
function readMask(): Mask {
  const bytes = brotliDecompressSync(readFileSync(new URL('./land-mask.bin', import.meta.url)))
  const shore = readList(bytes, 0)
  const sea = readList(bytes, shore.end)
  const bitmaps = new Uint8Array(bytes.subarray(sea.end))
  for (let i = 0; i < bitmaps.length; i++) {
    if (i % TILE_BYTES >= ROW_BYTES) bitmaps[i] = (bitmaps[i] ?? 0) ^ (bitmaps[i - ROW_BYTES] ?? 0)
  }
  const starts = new Map(shore.numbers.map((tile, i): [number, number] => [tile, i * TILE_BYTES]))
  for (const tile of sea.numbers) starts.set(tile, -1)
  return { starts, bitmaps }
}

function readList(bytes: Uint8Array, start: number): { numbers: number[]; end: number } {
  let end = start
  const read = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[end++] ?? 0
      value += (byte % 128) * scale
      if (byte < 128) return value
    }
  }
  const numbers = new Array<number>(read())
  for (let i = 0, last = 0; i < numbers.length; i++) {
    last += read()
    numbers[i] = last
  }
  return { numbers, end }
}
