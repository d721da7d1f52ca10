import { LOCATION_TYPES, type Location } from '../domain/location.ts'
import { remember } from '../lib/remember.ts'
import { DEGREES, type LocationRows } from './location-file.ts'
import { locationId } from './location-id.ts'

/** A location with what the index knows beyond the public record. */
export type IndexedLocation = Location & {
  /** "geonames:2988507", "iata:JFK": the source's own key, of which the id is made. */
  readonly sourceKey: string
  /** 0 where unknown. */
  readonly population: number
  /** Too wide for one search; a caller should offer places inside instead. */
  readonly isTooLarge: boolean
}

/** Beyond this no vendor answers a circle, and no guest means it. */
const SEARCHABLE_RADIUS_KM = 250
const SEARCHABLE_COUNTRY_RADIUS_KM = 100
const HELD_MAX = 20_000

/** What a list of places is ordered and filtered by. */
export type LocationTrait = 'id' | 'name' | 'type' | 'countryCode' | 'iata' | 'timezone'

export type RowReader = {
  read(row: number): IndexedLocation
  /** One trait alone: of thousands of places it is read without making records that nobody sees. */
  trait(row: number, trait: LocationTrait): string | undefined
  name(row: number): string
  region(row: number): string
  country(row: number): { readonly code: string; readonly name: string }
  sourceKey(row: number): string
  rowOf(id: string): number | undefined
}

export function createRowReader(rows: LocationRows): RowReader {
  const nameBytes = Buffer.from(rows.nameBytes.buffer, rows.nameBytes.byteOffset, rows.nameBytes.byteLength)
  // The same few thousand places are asked for again and again, and making an id costs a hash.

  const name = (row: number) => nameBytes.toString('utf8', rows.nameAt[row], rows.nameAt[row + 1])
  const region = (row: number) => rows.regions[(rows.region[row] ?? 0) - 1]?.name ?? ''
  const country = (row: number) => rows.countries[rows.country[row] ?? 0] ?? { code: '', name: '' }
  const sourceKey = (row: number) => {
    const number = rows.keyNumber[row] ?? 0
    return rows.keyIsNumber[row] === 1 ? `geonames:${number}` : (rows.keys[number] ?? '')
  }

  function display(row: number, iata: string | undefined): string {
    const detail = rows.details[(rows.detail[row] ?? 0) - 1]
    let text = iata === undefined ? name(row) : `${name(row)} (${iata})`
    if (detail !== undefined) text += `, ${detail}`
    if (rows.regionIsShown[row] === 1) text += `, ${region(row)}`
    return LOCATION_TYPES[rows.type[row] ?? 0] === 'country' ? text : `${text}, ${country(row).name}`
  }

  const typeOf = (row: number) => LOCATION_TYPES[rows.type[row] ?? 0] ?? 'city'
  const iataOf = (row: number) => (typeOf(row) === 'airport' ? sourceKey(row).slice('iata:'.length) : undefined)
  const timezoneOf = (row: number) => rows.timezones[rows.timezone[row] ?? 0] ?? 'UTC'
  const traits = {
    id: (row) => locationId(sourceKey(row)),
    name: (row) => display(row, iataOf(row)),
    type: typeOf,
    countryCode: (row) => country(row).code,
    iata: iataOf,
    timezone: timezoneOf,
  } satisfies Record<LocationTrait, (row: number) => string | undefined>

  function make(row: number): IndexedLocation {
    const type = typeOf(row)
    const key = sourceKey(row)
    const iata = iataOf(row)
    const radiusKm = (rows.radius[row] ?? 0) / 10
    return {
      id: locationId(key),
      name: display(row, iata),
      type,
      countryCode: country(row).code,
      point: { lat: (rows.lat[row] ?? 0) / DEGREES, lon: (rows.lon[row] ?? 0) / DEGREES },
      radiusKm,
      timezone: timezoneOf(row),
      ...(iata === undefined ? {} : { iata }),
      sourceKey: key,
      population: rows.population[row] ?? 0,
      isTooLarge: radiusKm > (type === 'country' ? SEARCHABLE_COUNTRY_RADIUS_KM : SEARCHABLE_RADIUS_KM),
    }
  }

  return {
    name,
    region,
    country,
    sourceKey,
    trait: (row, trait) => traits[trait](row),
    read: remember(HELD_MAX, make),
    /** Ids are not stored but made: the rows lie in the order of their ids, so eighteen hashes find one of them. */
    rowOf(id) {
      const wanted = id.toLowerCase()
      let low = 0
      let high = rows.count
      while (low < high) {
        const middle = (low + high) >>> 1
        const row = rows.byUuid[middle] ?? 0
        const found = locationId(sourceKey(row))
        if (found === wanted) return row
        if (found < wanted) low = middle + 1
        else high = middle
      }
      return undefined
    },
  }
}
