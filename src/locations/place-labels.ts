import { LOCATION_TYPES, type LocationType } from '../domain/property/location.ts'
import type { Box, Point } from '../lib/geo.ts'
import { type LocationRows, UNITS_PER_DEGREE } from './location-file.ts'
import type { RowReader } from './location-rows.ts'

/** A label on a map. Rank 0 is the most important place of all. */
export type PlaceLabel = {
  readonly name: string
  readonly type: LocationType
  readonly point: Point
  readonly population: number
  readonly rank: number
}

const COUNTRY = LOCATION_TYPES.indexOf('country')
const CITY = LOCATION_TYPES.indexOf('city')
/** A country's label is at the median of its largest cities, which ignores remote islands. */
const CITIES_PER_COUNTRY = 9

/** Labels of a box that does not cross the 180th meridian, most important first. */
export function createLabels(rows: LocationRows, reader: RowReader) {
  let centres: ReadonlyMap<number, Point> | undefined
  const labelPoint = (row: number): Point => {
    if (rows.type[row] !== COUNTRY) return reader.point(row)
    centres ??= countryCentres(rows, reader)
    return centres.get(rows.country[row] ?? 0) ?? reader.point(row)
  }

  return (box: Box, types: readonly LocationType[], limit: number): PlaceLabel[] => {
    const wanted = new Set(types.map((type) => LOCATION_TYPES.indexOf(type)))
    const isIn = ({ lat, lon }: Point) => lat >= box.south && lat < box.north && lon >= box.west && lon < box.east
    const found: PlaceLabel[] = []
    // Rows are sorted by importance. An empty box costs a scan of all of them, a few milliseconds.
    for (let row = 0; row < rows.count && found.length < limit; row++) {
      const type = rows.type[row] ?? 0
      if (!wanted.has(type) || (type !== COUNTRY && !isNear(rows, row, box))) continue
      const point = labelPoint(row)
      if (!isIn(point)) continue
      found.push({
        name: reader.name(row),
        type: reader.type(row),
        point,
        population: rows.population[row] ?? 0,
        rank: row,
      })
    }
    return found
  }
}

/** Cheap check that allocates nothing. */
function isNear(rows: LocationRows, row: number, box: Box): boolean {
  const lat = (rows.lat[row] ?? 0) / UNITS_PER_DEGREE
  const lon = (rows.lon[row] ?? 0) / UNITS_PER_DEGREE
  return lat >= box.south && lat <= box.north && lon >= box.west && lon <= box.east
}

function countryCentres(rows: LocationRows, reader: RowReader): Map<number, Point> {
  const cities = new Map<number, Point[]>()
  for (let row = 0; row < rows.count; row++) {
    if (rows.type[row] !== CITY) continue
    const country = rows.country[row] ?? 0
    const known = cities.get(country) ?? []
    if (known.length === 0) cities.set(country, known)
    if (known.length < CITIES_PER_COUNTRY) known.push(reader.point(row))
  }
  return new Map([...cities].map(([country, points]) => [country, medianPoint(points)]))
}

function medianPoint(points: readonly Point[]): Point {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
  return { lat: median(points.map(({ lat }) => lat)), lon: median(points.map(({ lon }) => lon)) }
}
