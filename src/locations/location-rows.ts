import { LOCATION_TYPES, type Location, type LocationType } from '../domain/property/location.ts'
import { memoize } from '../lib/async/memoize.ts'
import type { Point } from '../lib/geo.ts'
import { type LocationRows, UNITS_PER_DEGREE } from './location-file.ts'
import { makeLocationId } from './location-id.ts'

/** Adds internal fields to the public record. */
export type IndexedLocation = Location & {
  /** "geonames:2988507" or "iata:JFK": the source's own key, from which the id is derived. */
  readonly sourceKey: string
  /** 0 if unknown. */
  readonly population: number
  /** Too large for one search; callers should offer places inside it. */
  readonly isTooLarge: boolean
}

/** No vendor supports a larger circle. */
const SEARCHABLE_RADIUS_KM = 250
const SEARCHABLE_COUNTRY_RADIUS_KM = 100
const CACHED_MAX = 20_000

/** Fields that a list of places can be ordered and filtered by. */
export type LocationTrait = 'id' | 'name' | 'type' | 'countryCode' | 'iata' | 'timezone'

export class RowReader {
  readonly #rows: LocationRows
  readonly #nameBytes: Buffer
  /** Cached: the same few thousand places are requested again and again, and each id costs a hash. */
  readonly read = memoize(CACHED_MAX, (row: number) => this.#read(row))

  constructor(rows: LocationRows) {
    this.#rows = rows
    this.#nameBytes = Buffer.from(rows.nameBytes.buffer, rows.nameBytes.byteOffset, rows.nameBytes.byteLength)
  }

  name(row: number): string {
    return this.#nameBytes.toString('utf8', this.#rows.nameAt[row], this.#rows.nameAt[row + 1])
  }

  region(row: number): string {
    return this.#rows.regions[(this.#rows.region[row] ?? 0) - 1]?.name ?? ''
  }

  country(row: number): { readonly code: string; readonly name: string } {
    return this.#rows.countries[this.#rows.country[row] ?? 0] ?? { code: '', name: '' }
  }

  sourceKey(row: number): string {
    const number = this.#rows.keyNumber[row] ?? 0
    return this.#rows.keyIsNumber[row] === 1 ? `geonames:${number}` : (this.#rows.keys[number] ?? '')
  }

  detail(row: number): string | undefined {
    return this.#rows.details[(this.#rows.detail[row] ?? 0) - 1]
  }

  point(row: number): Point {
    return { lat: (this.#rows.lat[row] ?? 0) / UNITS_PER_DEGREE, lon: (this.#rows.lon[row] ?? 0) / UNITS_PER_DEGREE }
  }

  type(row: number): LocationType {
    return LOCATION_TYPES[this.#rows.type[row] ?? 0] ?? 'city'
  }

  timezone(row: number): string {
    return this.#rows.timezones[this.#rows.timezone[row] ?? 0] ?? 'UTC'
  }

  /** Reads a single field, because filtering thousands of places must not build a record for each. */
  trait(row: number, trait: LocationTrait): string | undefined {
    if (trait === 'id') return makeLocationId(this.sourceKey(row))
    if (trait === 'name') return this.#displayName(row)
    if (trait === 'countryCode') return this.country(row).code
    if (trait === 'iata') return this.#iata(row)
    return this[trait](row)
  }

  /** Ids are derived, not stored: a binary search over rows sorted by id takes 18 hashes. */
  findRow(id: string): number | undefined {
    const wanted = id.toLowerCase()
    let low = 0
    let high = this.#rows.count
    while (low < high) {
      const middle = (low + high) >>> 1
      const row = this.#rows.byUuid[middle] ?? 0
      const found = makeLocationId(this.sourceKey(row))
      if (found === wanted) return row
      if (found < wanted) low = middle + 1
      else high = middle
    }
    return undefined
  }

  #read(row: number): IndexedLocation {
    const type = this.type(row)
    const sourceKey = this.sourceKey(row)
    const iata = this.#iata(row)
    const radiusKm = (this.#rows.radius[row] ?? 0) / 10
    const place = {
      id: makeLocationId(sourceKey),
      name: this.#displayName(row),
      type,
      countryCode: this.country(row).code,
      point: this.point(row),
      radiusKm,
      timezone: this.timezone(row),
      sourceKey,
      population: this.#rows.population[row] ?? 0,
      isTooLarge: radiusKm > (type === 'country' ? SEARCHABLE_COUNTRY_RADIUS_KM : SEARCHABLE_RADIUS_KM),
    }
    return iata === undefined ? place : { ...place, iata }
  }

  #iata(row: number): string | undefined {
    return this.type(row) === 'airport' ? this.sourceKey(row).slice('iata:'.length) : undefined
  }

  #displayName(row: number): string {
    const iata = this.#iata(row)
    const detail = this.detail(row)
    let name = iata === undefined ? this.name(row) : `${this.name(row)} (${iata})`
    if (detail !== undefined) name += `, ${detail}`
    if (this.#rows.regionIsShown[row] === 1) name += `, ${this.region(row)}`
    return this.type(row) === 'country' ? name : `${name}, ${this.country(row).name}`
  }
}
