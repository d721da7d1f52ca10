import { type Box, type Circle, distanceKm, type Point } from '../../lib/geo.ts'

const KM_PER_DEGREE = 111.195
/** More columns than any row has. */
const ROW_FACTOR = 100_000

/** Grid of roughly square cells from the equator to the poles. A cell's number is row × 100,000 + column. */
export function createEarthGrid(stepDegrees: number) {
  const rows = Math.ceil(180 / stepDegrees)
  const findRow = (lat: number) => clamp(Math.floor((lat + 90) / stepDegrees), 0, rows - 1)
  const countColumns = (row: number) => {
    const middle = (row + 0.5) * stepDegrees - 90
    return Math.max(1, Math.round((360 / stepDegrees) * Math.cos((middle * Math.PI) / 180)))
  }
  const findColumn = (lon: number, columns: number) => clamp(Math.floor(((lon + 180) / 360) * columns), 0, columns - 1)

  function findCell({ lat, lon }: Point): number {
    const row = findRow(lat)
    return row * ROW_FACTOR + findColumn(lon, countColumns(row))
  }

  function cellBox(cell: number) {
    const row = Math.floor(cell / ROW_FACTOR)
    const width = 360 / countColumns(row)
    const west = (cell % ROW_FACTOR) * width - 180
    const south = row * stepDegrees - 90
    return { south, north: Math.min(90, south + stepDegrees), west, east: west + width }
  }

  /** Cells that overlap the circle; undefined if there are more than `cellsMax`. */
  function touching({ center, radiusKm }: Circle, cellsMax: number): number[] | undefined {
    const reach = radiusKm / KM_PER_DEGREE
    const last = findRow(center.lat + reach)
    const cells: number[] = []
    for (let row = findRow(center.lat - reach); row <= last; row += 1) {
      const columns = countColumns(row)
      const width = 360 / columns
      const lonReach = longitudeReach(center.lat, radiusKm)
      const count = Math.min(columns, Math.ceil((2 * lonReach) / width) + 2)
      const first = Math.floor((center.lon - lonReach + 180) / width)
      for (let step = 0; step < count; step += 1) {
        const cell = row * ROW_FACTOR + ((((first + step) % columns) + columns) % columns)
        if (distanceKm(center, nearestIn(cellBox(cell), center)) <= radiusKm) cells.push(cell)
        if (cells.length > cellsMax) return undefined
      }
    }
    return cells
  }

  /** Distance from `point` to the farthest corner of the cell. */
  function farthestKm(cell: number, point: Point): number {
    const { south, north, west, east } = cellBox(cell)
    const corners = [south, north].flatMap((lat) => [west, east].map((lon) => distanceKm(point, { lat, lon })))
    return Math.max(...corners)
  }

  return { findCell, touching, farthestKm }
}

/** Half the range of longitudes that a circle covers; 180 if it contains a pole. */
function longitudeReach(lat: number, radiusKm: number): number {
  const reach = radiusKm / KM_PER_DEGREE
  if (Math.abs(lat) + reach >= 90) return 180
  const sine = Math.sin((reach * Math.PI) / 180) / Math.cos((lat * Math.PI) / 180)
  return sine >= 1 ? 180 : (Math.asin(sine) * 180) / Math.PI
}

/** Approximate, but good enough for boxes of a few kilometres. Longitudes wrap. */
function nearestIn(box: Box, point: Point): Point {
  const middle = (box.west + box.east) / 2
  const offset = ((((point.lon - middle + 180) % 360) + 360) % 360) - 180
  const half = (box.east - box.west) / 2
  return { lat: clamp(point.lat, box.south, box.north), lon: middle + clamp(offset, -half, half) }
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
