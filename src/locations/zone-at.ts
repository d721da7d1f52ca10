import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { LRUCache } from 'lru-cache'
import { LOCATION_TYPES } from '../domain/property/location.ts'
import { lruLimit } from '../lib/async/memoize.ts'
import type { Point } from '../lib/geo.ts'
import { type LocationRows, UNITS_PER_DEGREE } from './location-file.ts'

/** Time zone of the nearest city, in the given country if one is near enough. */
export type ZoneAt = (point: Point, countryCode?: string) => string | undefined

/** Beyond this, a foreign city next door is the better guess: vendors call Puerto Rico US. */
const SAME_COUNTRY_MAX_KM = 300
/** Only the sea is farther away. */
const ANY_COUNTRY_MAX_KM = 2_000
const CACHED_MAX = 20_000

/**
 * Clocks follow borders, and borders run through towns: Haparanda and Tornio are a walk and an hour apart.
 * docs/adr/007-own-code.md explains why no library does this.
 */
export function createZoneAt(rows: LocationRows): ZoneAt {
  let cities: Cities | undefined
  const cache = new LRUCache<string, { readonly zone: string | undefined }>(lruLimit(CACHED_MAX))
  const countryNumbers = new Map(rows.countries.map(({ code }, number) => [code, number]))

  function lookUp({ lat, lon }: Point, countryCode: string): string | undefined {
    if (!Number.isFinite(lat) || !Number.isFinite(lon)) return undefined
    cities ??= indexCities(rows)
    const { tree, cityRows } = cities
    const country = countryNumbers.get(countryCode.toUpperCase())
    const isInCountry = (city: number) => rows.country[cityRows[city] ?? 0] === country
    const [city] =
      country === undefined
        ? around(tree, lon, lat, 1, ANY_COUNTRY_MAX_KM)
        : [
            ...around(tree, lon, lat, 1, SAME_COUNTRY_MAX_KM, isInCountry),
            ...around(tree, lon, lat, 1, ANY_COUNTRY_MAX_KM),
          ]
    return city === undefined ? undefined : rows.timezones[rows.timezone[cityRows[city] ?? 0] ?? 0]
  }

  return function zoneAt(point, countryCode = '') {
    const key = `${point.lat} ${point.lon} ${countryCode}`
    let found = cache.get(key)
    if (found === undefined) {
      found = { zone: lookUp(point, countryCode) }
      cache.set(key, found)
    }
    return found.zone
  }
}

/** Built on first use. `cityRows` maps each city in the tree to its row. */
type Cities = { readonly tree: KDBush; readonly cityRows: Uint32Array }

function indexCities(rows: LocationRows): Cities {
  const city = LOCATION_TYPES.indexOf('city')
  const cityRows = new Uint32Array(rows.count).map((_, row) => row).filter((row) => rows.type[row] === city)
  const tree = new KDBush(cityRows.length, 64, Float32Array)
  for (const row of cityRows) tree.add((rows.lon[row] ?? 0) / UNITS_PER_DEGREE, (rows.lat[row] ?? 0) / UNITS_PER_DEGREE)
  return { tree: tree.finish(), cityRows }
}
