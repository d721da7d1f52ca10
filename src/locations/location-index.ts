import { LOCATION_TYPES, type LocationType } from '../domain/location.ts'
import { distanceKm, type Point } from '../lib/geo.ts'
import { isUuid } from '../lib/ids.ts'
import { expandKeyColumns, type KeyColumns, openKeyTable } from './key-table.ts'
import { DEGREES, decodeLocationFile, decodeLocationRows, type LocationRows } from './location-file.ts'
import { createRowReader, type IndexedLocation, type LocationTrait } from './location-rows.ts'
import { createRank, type Matches } from './rank.ts'
import { createZoneAt, type ZoneAt } from './zone-at.ts'

/** A city as the sandbox world needs it. */
export type CityPlace = {
  /** GeoNames id. */
  readonly sourceId: number
  readonly name: string
  readonly region: string
  readonly countryCode: string
  readonly countryName: string
  readonly point: Point
  readonly population: number
  readonly timezone: string
}

export type LocationIndex = {
  readonly count: number
  /** Best first. Never throws, whatever the text; an empty or meaningless text finds nothing. */
  search(text: string, limit: number): IndexedLocation[]
  /** The same order as `search`, as row numbers for `at`. */
  rank(text: string, limit: number): readonly number[]
  /** All of them, as row numbers: counted, and cheap where only the first page of a long list will be shown. */
  matches(text: string): Matches
  at(row: number): IndexedLocation
  trait(row: number, trait: LocationTrait): string | undefined
  byId(id: string): IndexedLocation | undefined
  /** The most important places of these types around a point, most important first. */
  nearby(point: Point, radiusKm: number, types: readonly LocationType[], limit: number): IndexedLocation[]
  readonly zoneAt: ZoneAt
}

/** All that an index is made of, without a function in it: another thread can work it out and hand it over. */
export type LocationTables = { readonly rows: LocationRows; readonly keys: KeyColumns }

/** The slow part of opening the unpacked location file. */
export function readLocationTables(bytes: Uint8Array): LocationTables {
  const { rows, keys } = decodeLocationFile(bytes)
  return { rows, keys: expandKeyColumns(keys, rows.importance) }
}

export const createLocationIndex = (bytes: Uint8Array): LocationIndex => openLocationIndex(readLocationTables(bytes))

export function openLocationIndex({ rows, keys }: LocationTables): LocationIndex {
  const reader = createRowReader(rows)
  const { rank, matches } = createRank(openKeyTable(keys), rows, reader)
  return {
    count: rows.count,
    rank,
    matches,
    at: reader.read,
    trait: reader.trait,
    search: (text, limit) => rank(text, limit).map((row) => reader.read(row)),
    byId(id) {
      const row = isUuid(id) ? reader.rowOf(id) : undefined
      return row === undefined ? undefined : reader.read(row)
    },
    nearby: (point, radiusKm, types, limit) =>
      rowsNear(rows, point, radiusKm, types, limit).map((row) => reader.read(row)),
    zoneAt: createZoneAt(rows),
  }
}

/** Rows lie in order of importance, so walking them and stopping early is both the search and the ranking. */
function rowsNear(
  rows: LocationRows,
  point: Point,
  radiusKm: number,
  types: readonly LocationType[],
  limit: number,
): number[] {
  const wanted = new Set(types.map((type) => LOCATION_TYPES.indexOf(type)))
  const latSpan = (radiusKm / 111) * DEGREES
  const lat = point.lat * DEGREES
  const found: number[] = []
  for (let row = 0; row < rows.count && found.length < limit; row++) {
    const rowLat = rows.lat[row] as number
    if (rowLat < lat - latSpan || rowLat > lat + latSpan || !wanted.has(rows.type[row] as number)) continue
    const there = { lat: rowLat / DEGREES, lon: (rows.lon[row] as number) / DEGREES }
    if (distanceKm(point, there) <= radiusKm) found.push(row)
  }
  return found
}

/** Cities that have a GeoNames id, most important first, from the unpacked location file. */
export function* readCityPlaces(bytes: Uint8Array): Generator<CityPlace> {
  const rows = decodeLocationRows(bytes)
  const reader = createRowReader(rows)
  const city = LOCATION_TYPES.indexOf('city')
  for (let row = 0; row < rows.count; row++) {
    if (rows.type[row] !== city || rows.keyIsNumber[row] !== 1) continue
    const country = reader.country(row)
    yield {
      sourceId: rows.keyNumber[row] as number,
      name: reader.name(row),
      region: reader.region(row),
      countryCode: country.code,
      countryName: country.name,
      point: { lat: (rows.lat[row] as number) / DEGREES, lon: (rows.lon[row] as number) / DEGREES },
      population: rows.population[row] as number,
      timezone: rows.timezones[rows.timezone[row] as number] ?? 'UTC',
    }
  }
}
