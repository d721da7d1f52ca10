import { LOCATION_TYPES, type LocationType } from '../domain/property/location.ts'
import type { Box, Point } from '../lib/geo.ts'
import { DEGREES, type LocationRows } from './location-file.ts'
import type { RowReader } from './location-rows.ts'

/** What a map writes. `rank`: 0 is the most important place of all. */
export type PlaceLabel = {
  readonly name: string
  readonly type: LocationType
  readonly point: Point
  readonly population: number
  readonly rank: number
}

const COUNTRY = LOCATION_TYPES.indexOf('country')
const CITY = LOCATION_TYPES.indexOf('city')
/** Whose middle is the middle of a country: its islands far away have none of its largest cities. */
const CITIES_OF_COUNTRY = 9

/** The most important places of some types in a box that does not lie across the 180th meridian, most important first. */
export function createLabels(rows: LocationRows, reader: RowReader) {
  let middles: ReadonlyMap<number, Point> | undefined
  const pointOf = (row: number): Point => {
    if (rows.type[row] !== COUNTRY) return reader.point(row)
    middles ??= countryMiddles(rows, reader)
    return middles.get(rows.country[row] ?? 0) ?? reader.point(row)
  }

  return (box: Box, types: readonly LocationType[], limit: number): PlaceLabel[] => {
    const wanted = new Set(types.map((type) => LOCATION_TYPES.indexOf(type)))
    const isIn = ({ lat, lon }: Point) => lat >= box.south && lat < box.north && lon >= box.west && lon < box.east
    const found: PlaceLabel[] = []
    // Rows lie in order of importance. A box without places costs a look at all of them, a few milliseconds.
    for (let row = 0; row < rows.count && found.length < limit; row++) {
      const type = rows.type[row] ?? 0
      if (!wanted.has(type) || (type !== COUNTRY && !isNear(rows, row, box))) continue
      const point = pointOf(row)
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

/** Without making a record of what is somewhere else. */
function isNear(rows: LocationRows, row: number, box: Box): boolean {
  const lat = (rows.lat[row] ?? 0) / DEGREES
  const lon = (rows.lon[row] ?? 0) / DEGREES
  return lat >= box.south && lat <= box.north && lon >= box.west && lon <= box.east
}

function countryMiddles(rows: LocationRows, reader: RowReader): Map<number, Point> {
  const cities = new Map<number, Point[]>()
  for (let row = 0; row < rows.count; row++) {
    if (rows.type[row] !== CITY) continue
    const country = rows.country[row] ?? 0
    const known = cities.get(country) ?? []
    if (known.length === 0) cities.set(country, known)
    if (known.length < CITIES_OF_COUNTRY) known.push(reader.point(row))
  }
  return new Map([...cities].map(([country, points]) => [country, middleOf(points)]))
}

function middleOf(points: readonly Point[]): Point {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
  return { lat: median(points.map(({ lat }) => lat)), lon: median(points.map(({ lon }) => lon)) }
}
