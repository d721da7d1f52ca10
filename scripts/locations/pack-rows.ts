import { LOCATION_TYPES } from '../../src/domain/property/location.ts'
import { foldText } from '../../src/lib/text/fold-text.ts'
import type { Column } from '../../src/locations/byte-columns.ts'
import { type LocationMeta, UNITS_PER_DEGREE } from '../../src/locations/location-file.ts'
import { makeLocationId } from '../../src/locations/location-id.ts'
import type { Displayed } from './display-names.ts'
import type { Country } from './sources/countries.ts'

type Dictionary = { readonly values: string[]; addValue(value: string): number }

/** Columns of the places and their shared metadata. Expects the most important places first. */
export function packRows(
  places: readonly Displayed[],
  countries: readonly Country[],
  regions: ReadonlyMap<string, string>,
  contextWords: ReadonlyMap<string, string>,
): { meta: LocationMeta; columns: Record<string, Column> } {
  const regionCodes = createDictionary()
  const timezones = createDictionary()
  const keys = createDictionary()
  const details = createDictionary()
  const countryIndex = new Map(countries.map((country, index) => [country.code, index]))
  const column = (readNumber: (place: Displayed) => number) => places.map(readNumber)
  const parseGeonamesId = (key: string) =>
    key.startsWith('geonames:') ? Number(key.slice('geonames:'.length)) : undefined
  const names = places.map((place) => Buffer.from(place.name, 'utf8'))

  const columns = {
    type: Uint8Array.from(column((place) => LOCATION_TYPES.indexOf(place.type))),
    importance: Uint16Array.from(column((place) => Math.round(1000 * place.importance))),
    lat: Int32Array.from(column((place) => Math.round(place.lat * UNITS_PER_DEGREE))),
    lon: Int32Array.from(column((place) => Math.round(place.lon * UNITS_PER_DEGREE))),
    country: Uint8Array.from(column((place) => requireIndex(countryIndex.get(place.countryCode), place.countryCode))),
    region: Uint16Array.from(
      column((place) => (regions.has(place.regionCode) ? regionCodes.addValue(place.regionCode) + 1 : 0)),
    ),
    regionIsShown: Uint8Array.from(column((place) => (place.regionIsShown ? 1 : 0))),
    detail: Uint32Array.from(column((place) => (place.detail === '' ? 0 : details.addValue(place.detail) + 1))),
    timezone: Uint16Array.from(column((place) => timezones.addValue(place.timezone))),
    population: Uint32Array.from(column((place) => place.population)),
    radius: Uint16Array.from(column((place) => Math.round(place.radiusKm * 10))),
    keyIsNumber: Uint8Array.from(column((place) => (parseGeonamesId(place.key) === undefined ? 0 : 1))),
    keyNumber: Uint32Array.from(column((place) => parseGeonamesId(place.key) ?? keys.addValue(place.key))),
    nameLength: Uint8Array.from(names.map((name) => name.length)),
    nameBytes: new Uint8Array(Buffer.concat(names)),
    byUuid: rowsByUuid(places),
  }
  const meta: LocationMeta = {
    countries: countries.map(({ code, name, native, otherNames, codes }) => ({
      code,
      name,
      words: collectWords([name, native, ...otherNames, ...codes, contextWords.get(code) ?? '']),
    })),
    regions: regionCodes.values.map((code) => ({
      name: regions.get(code) ?? '',
      words: collectWords([regions.get(code) ?? '', localCode(code), contextWords.get(code) ?? '']),
    })),
    timezones: timezones.values,
    keys: keys.values,
    details: details.values,
  }
  return { meta, columns }
}

/** "US.IL" → "IL"; numeric codes mean nothing to users. */
const localCode = (code: string): string => (/^[A-Z]{2}\.[A-Z]{2,3}$/.test(code) ? code.slice(3) : '')

const collectWords = (texts: readonly string[]): string => [...new Set(foldText(texts.join(' ')).split(' '))].join(' ')

function requireIndex(index: number | undefined, code: string): number {
  if (index === undefined) throw new Error(`country ${code} is not in the list`)
  return index
}

function createDictionary(): Dictionary {
  const values: string[] = []
  const index = new Map<string, number>()
  return {
    values,
    addValue(value) {
      const existing = index.get(value)
      if (existing !== undefined) return existing
      index.set(value, values.length)
      values.push(value)
      return values.length - 1
    },
  }
}

function rowsByUuid(places: readonly Displayed[]): Uint32Array {
  const ids = places.map((place) => makeLocationId(place.key))
  if (new Set(ids).size !== ids.length) throw new Error('two places share a source key')
  return Uint32Array.from(ids.keys()).sort((a, b) => ((ids[a] ?? '') < (ids[b] ?? '') ? -1 : 1))
}
