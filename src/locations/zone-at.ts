import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { LRUCache } from 'lru-cache'
import { LOCATION_TYPES } from '../domain/property/location.ts'
import { atMost } from '../lib/async/remember.ts'
import type { Point } from '../lib/geo.ts'
import { DEGREES, type LocationRows } from './location-file.ts'

/** The time zone at a point: that of the nearest city, in the named country where one is near enough. */
export type ZoneAt = (point: Point, countryCode?: string) => string | undefined

/** A city of the country that is farther than this says less than a foreign one next door: vendors call Puerto Rico US. */
const SAME_COUNTRY_MAX_KM = 300
/** Beyond lies only the sea. */
const ANY_COUNTRY_MAX_KM = 2_000
/** The same properties are asked for again and again. */
const REMEMBERED_MAX = 20_000

/**
 * Clocks follow borders, and borders run through towns: Haparanda and Tornio are a walk and an hour from each other, so
 * the country counts before the distance. Why no library does this: docs/adr/007-own-code.md.
 */
export function createZoneAt(rows: LocationRows): ZoneAt {
  let cities: Cities | undefined
  const known = new LRUCache<string, { readonly zone: string | undefined }>(atMost(REMEMBERED_MAX))
  const countryNumbers = new Map(rows.countries.map(({ code }, number) => [code, number]))

  function lookUp({ lat, lon }: Point, countryCode: string): string | undefined {
    if (!Number.isFinite(lat) || !Number.isFinite(lon)) return undefined
    cities ??= citiesOf(rows)
    const { tree, rowOf } = cities
    const country = countryNumbers.get(countryCode.toUpperCase())
    const isInCountry = (city: number) => rows.country[rowOf[city] ?? 0] === country
    const [city] =
      country === undefined
        ? around(tree, lon, lat, 1, ANY_COUNTRY_MAX_KM)
        : [
            ...around(tree, lon, lat, 1, SAME_COUNTRY_MAX_KM, isInCountry),
            ...around(tree, lon, lat, 1, ANY_COUNTRY_MAX_KM),
          ]
    return city === undefined ? undefined : rows.timezones[rows.timezone[rowOf[city] ?? 0] ?? 0]
  }

  return function zoneAt(point, countryCode = '') {
    const key = `${point.lat} ${point.lon} ${countryCode}`
    let found = known.get(key)
    if (found === undefined) {
      found = { zone: lookUp(point, countryCode) }
      known.set(key, found)
    }
    return found.zone
  }
}

/** Made when the first zone is asked for, and the row of each city in the tree. */
type Cities = { readonly tree: KDBush; readonly rowOf: Uint32Array }

function citiesOf(rows: LocationRows): Cities {
  const city = LOCATION_TYPES.indexOf('city')
  const rowOf = new Uint32Array(rows.count).map((_, row) => row).filter((row) => rows.type[row] === city)
  const tree = new KDBush(rowOf.length, 64, Float32Array)
  for (const row of rowOf) tree.add((rows.lon[row] ?? 0) / DEGREES, (rows.lat[row] ?? 0) / DEGREES)
  return { tree: tree.finish(), rowOf }
}
