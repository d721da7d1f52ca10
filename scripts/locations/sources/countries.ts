import { computeExtent, findHeaviest } from '../extent.ts'
import { createPlace, type Place } from '../place.ts'
import { readPackageJson, requirePackage } from './read-source.ts'

/** Languages in which travellers are likely to type country names; all locales would be mostly transcriptions. */
const LANGUAGES =
  'en fr de es it pt nl pl ru uk zh ja ko ar he tr sv da nb fi cs hu ro el hr sr id vi th hi fa ca bg'.split(' ')

export type Country = {
  readonly code: string
  readonly name: string
  readonly native: string
  readonly capital: string
  readonly otherNames: readonly string[]
  readonly codes: readonly string[]
}
type Listed = { name: string; native: string; capital: string; userAssigned?: boolean; partOf?: string }
type IsoCountries = {
  getName(code: string, language: string, options: { select: 'all' }): string[] | undefined
  alpha2ToAlpha3(code: string): string | undefined
}

/** Common names that differ from the package's. */
const COMMON_NAME: Record<string, string> = {
  MO: 'Macau',
  CZ: 'Czechia',
  TR: 'Türkiye',
  CD: 'DR Congo',
  CG: 'Congo',
  MM: 'Myanmar',
  SZ: 'Eswatini',
  MK: 'North Macedonia',
  BL: 'Saint Barthélemy',
  MF: 'Saint Martin',
  SX: 'Sint Maarten',
  VA: 'Vatican City',
}

export function readCountries(): Country[] {
  const listed = readPackageJson<Record<string, Listed>>('countries-list/countries.min.json')
  const iso = requirePackage<IsoCountries>('i18n-iso-countries')
  return Object.entries(listed)
    .filter(([code]) => code === 'XK' || iso.alpha2ToAlpha3(code) !== undefined)
    .map(([code, country]) => {
      const name = COMMON_NAME[code] ?? country.name
      const translated = LANGUAGES.flatMap((language) => iso.getName(code, language, { select: 'all' }) ?? [])
      const alpha3 = iso.alpha2ToAlpha3(code)
      return {
        code,
        name,
        native: country.native,
        capital: country.capital,
        otherNames: [...new Set([country.name, ...translated])].filter((other) => other !== name),
        codes: alpha3 === undefined ? [code] : [code, alpha3],
      }
    })
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** Countries as places. Skips those without a known city, such as Antarctica. */
export function countryPlaces(countries: readonly Country[], cities: readonly Place[]): Place[] {
  const members = Map.groupBy(cities, (city) => city.countryCode)
  return countries.flatMap((country) => {
    const inside = members.get(country.code)
    if (inside === undefined) return []
    const { center, radiusKm } = computeExtent(inside)
    const population = inside.reduce((sum, city) => sum + (city.type === 'city' ? city.population : 0), 0)
    return createPlace({
      key: `iso3166:${country.code}`,
      type: 'country',
      name: country.name,
      countryCode: country.code,
      ...center,
      population,
      timezone: findHeaviest(
        inside,
        (city) => city.timezone,
        (city) => city.population + 1,
      ),
      radiusKm: Math.max(radiusKm, 5),
      importance: 4.6 + 0.3 * Math.log10(Math.max(population, 1000)),
      names: [country.native],
      aliases: [...country.otherNames],
    })
  })
}
