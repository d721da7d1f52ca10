import { LOCATION_TYPES, type LocationType } from '../domain/property/location.ts'
import { isUuid } from '../lib/crypto/ids.ts'
import { distanceKm, type Point } from '../lib/geo.ts'
import { expandKeys, type KeyTable } from './key-table.ts'
import { decodeLocationFile, decodeLocationRows, type LocationRows, UNITS_PER_DEGREE } from './location-file.ts'
import { type IndexedLocation, type LocationTrait, RowReader } from './location-rows.ts'
import { createLabels } from './place-labels.ts'
import { createMatches } from './rank.ts'
import { createZoneAt } from './zone-at.ts'

const RANKED_MAX = 1000

export type LocationIndex = ReturnType<typeof openLocationIndex>

/** Plain data without functions, so that another thread can build it. */
export type LocationTables = { readonly rows: LocationRows; readonly keys: KeyTable }

/** The slow part of loading. */
export function readLocationTables(bytes: Uint8Array): LocationTables {
  const { rows, keys } = decodeLocationFile(bytes)
  return { rows, keys: expandKeys(keys, rows.importance) }
}

export const createLocationIndex = (bytes: Uint8Array): LocationIndex => openLocationIndex(readLocationTables(bytes))

export function openLocationIndex({ rows, keys }: LocationTables) {
  const reader = new RowReader(rows)
  const matches = createMatches(keys, rows, reader)
  const rank = (text: string, limit: number): readonly number[] =>
    limit >= 1 ? matches(text).slice(0, Math.min(limit, RANKED_MAX)) : []
  return {
    count: rows.count,
    /** All matches, best first, as row numbers for `at`. Never throws. */
    matches,
    /** The best matches, at most a thousand. */
    rank,
    search: (text: string, limit: number): IndexedLocation[] => rank(text, limit).map(reader.read),
    at: reader.read,
    trait: (row: number, trait: LocationTrait) => reader.trait(row, trait),
    byId(id: string): IndexedLocation | undefined {
      const row = isUuid(id) ? reader.findRow(id) : undefined
      return row === undefined ? undefined : reader.read(row)
    },
    /** The most important places of these types around a point, most important first. */
    nearby: (point: Point, radiusKm: number, types: readonly LocationType[], limit: number): IndexedLocation[] =>
      rowsNear(rows, reader, { point, radiusKm, types, limit }).map(reader.read),
    /** Labels of a box that does not cross the 180th meridian, most important first. */
    within: createLabels(rows, reader),
    zoneAt: createZoneAt(rows),
    countryName: (code: string): string | undefined => rows.countries.find((country) => country.code === code)?.name,
  }
}

type Nearby = {
  readonly point: Point
  readonly radiusKm: number
  readonly types: readonly LocationType[]
  readonly limit: number
}

/** Rows are sorted by importance, so the scan can stop at the limit. */
function rowsNear(rows: LocationRows, reader: RowReader, { point, radiusKm, types, limit }: Nearby): number[] {
  const wanted = new Set(types.map((type) => LOCATION_TYPES.indexOf(type)))
  const latSpan = (radiusKm / 111) * UNITS_PER_DEGREE
  const lat = point.lat * UNITS_PER_DEGREE
  const found: number[] = []
  for (let row = 0; row < rows.count && found.length < limit; row++) {
    if (Math.abs((rows.lat[row] ?? 0) - lat) > latSpan || !wanted.has(rows.type[row] ?? 0)) continue
    if (distanceKm(point, reader.point(row)) <= radiusKm) found.push(row)
  }
  return found
}

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

/** Cities with a GeoNames id, most important first. */
export function* readCityPlaces(bytes: Uint8Array): Generator<CityPlace> {
  const rows = decodeLocationRows(bytes)
  const reader = new RowReader(rows)
  for (let row = 0; row < rows.count; row++) {
    if (reader.type(row) !== 'city' || rows.keyIsNumber[row] !== 1) continue
    const country = reader.country(row)
    yield {
      sourceId: rows.keyNumber[row] ?? 0,
      name: reader.name(row),
      region: reader.region(row),
      countryCode: country.code,
      countryName: country.name,
      point: reader.point(row),
      population: rows.population[row] ?? 0,
      timezone: reader.timezone(row),
    }
  }
}
