import { LOCATION_TYPES } from '../domain/location.ts'
import type { Point } from '../lib/geo.ts'
import { DEGREES, type LocationRows } from './location-file.ts'

/** The time zone at a point: that of the nearest city, in the named country where one is near enough. */
export type ZoneAt = (point: Point, countryCode?: string) => string | undefined

/** Half a degree: a handful of cities each, a few hundred where they lie thickest. */
const CELL = DEGREES / 2
const COLUMNS = (360 * DEGREES) / CELL
const LINES = (180 * DEGREES) / CELL
/** A city of the country that is farther than this says less than a foreign one next door: vendors call Puerto Rico US. */
const COUNTRYMAN_MAX_KM = 300
/** Some 20 degrees around: beyond lies only the sea. */
const RINGS_MAX = 40
/** The same properties are asked for again and again. */
const KNOWN_MAX = 20_000
const KM_PER_UNIT = 111.19 / DEGREES

type Nearest = { row: number; km: number }

/**
 * Clocks follow borders, and borders run through towns: Haparanda and Tornio are one walk and one hour apart, so the
 * country counts before the distance. The grid (two megabytes) is made when it is first needed, in a few milliseconds.
 */
export function createZoneAt(rows: LocationRows): ZoneAt {
  let grid: Grid | undefined
  const known = new Map<string, string | undefined>()
  const countryNumbers = new Map(rows.countries.map(({ code }, number) => [code, number]))

  function lookUp(point: Point, countryCode: string): string | undefined {
    grid ??= createGrid(rows)
    const row = nearestCity(rows, grid, point, countryNumbers.get(countryCode.toUpperCase()))
    return row === undefined ? undefined : rows.timezones[rows.timezone[row] ?? 0]
  }

  return function zoneAt(point, countryCode = '') {
    const key = `${point.lat} ${point.lon} ${countryCode}`
    if (known.has(key)) return known.get(key)
    if (known.size >= KNOWN_MAX) known.clear()
    const zone = lookUp(point, countryCode)
    known.set(key, zone)
    return zone
  }
}

/** Cities by cell: those of a cell stand in `cities` from its entry in `starts` to the next one's. */
type Grid = { readonly starts: Uint32Array; readonly cities: Uint32Array }

function createGrid(rows: LocationRows): Grid {
  const city = LOCATION_TYPES.indexOf('city')
  const starts = new Uint32Array(COLUMNS * LINES + 1)
  const cellOf = (row: number) => cellAt(columnOf(rows.lon[row] ?? 0), lineOf(rows.lat[row] ?? 0))
  const isCity = (row: number) => rows.type[row] === city
  for (let row = 0; row < rows.count; row++) if (isCity(row)) add(starts, cellOf(row) + 1, 1)
  for (let cell = 1; cell < starts.length; cell++) add(starts, cell, starts[cell - 1] ?? 0)
  const next = starts.slice()
  const cities = new Uint32Array(starts.at(-1) ?? 0)
  for (let row = 0; row < rows.count; row++) if (isCity(row)) cities[add(next, cellOf(row), 1) - 1] = row
  return { starts, cities }
}

function add(counts: Uint32Array, at: number, more: number): number {
  const sum = (counts[at] ?? 0) + more
  counts[at] = sum
  return sum
}

const columnOf = (lon: number) => (Math.floor((lon + 180 * DEGREES) / CELL) + COLUMNS) % COLUMNS
const lineOf = (lat: number) => Math.min(LINES - 1, Math.max(0, Math.floor((lat + 90 * DEGREES) / CELL)))
const cellAt = (column: number, line: number) => line * COLUMNS + column

/** Ring after ring of cells around the point, until nothing nearer can come. */
function nearestCity(rows: LocationRows, grid: Grid, point: Point, country: number | undefined): number | undefined {
  const lat = point.lat * DEGREES
  const lon = point.lon * DEGREES
  const shrink = Math.cos((point.lat * Math.PI) / 180)
  const anyone: Nearest = { row: -1, km: Number.POSITIVE_INFINITY }
  const countryman: Nearest = { row: -1, km: country === undefined ? 0 : COUNTRYMAN_MAX_KM }

  function look(cell: number): void {
    for (let at = grid.starts[cell] ?? 0; at < (grid.starts[cell + 1] ?? 0); at++) {
      const row = grid.cities[at] ?? 0
      const east = Math.abs((rows.lon[row] ?? 0) - lon)
      const km = Math.hypot(Math.min(east, 360 * DEGREES - east) * shrink, (rows.lat[row] ?? 0) - lat) * KM_PER_UNIT
      if (km < anyone.km) Object.assign(anyone, { row, km })
      if (rows.country[row] === country && km < countryman.km) Object.assign(countryman, { row, km })
    }
  }

  const column = columnOf(Math.round(lon))
  const line = lineOf(Math.round(lat))
  for (let ring = 0; ring <= RINGS_MAX; ring++) {
    // The point may stand at the rim of its own cell, so this ring is only certain to lie one cell less away.
    const poleward = Math.min(90, Math.abs(point.lat) + ((ring + 1) * CELL) / DEGREES)
    const reachKm = (ring - 1) * CELL * KM_PER_UNIT * Math.cos((poleward * Math.PI) / 180)
    if (reachKm > (countryman.row === -1 ? Math.max(countryman.km, anyone.km) : countryman.km)) break
    lookAround(column, line, ring, look)
  }
  if (countryman.row !== -1) return countryman.row
  return anyone.row === -1 ? undefined : anyone.row
}

function lookAround(column: number, line: number, ring: number, look: (cell: number) => void): void {
  for (let down = Math.max(0, line - ring); down <= Math.min(LINES - 1, line + ring); down++) {
    const isRim = Math.abs(down - line) === ring
    for (let side = -ring; side <= ring; side += isRim || ring === 0 ? 1 : 2 * ring) {
      look(cellAt((column + side + COLUMNS) % COLUMNS, down))
    }
  }
}
