import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Static } from 'typebox'
import type { Location } from '../domain/property/location.ts'
import { CATALOGUE_LANGUAGE, primaryLanguage } from '../domain/property/property-texts.ts'
import { memoize } from '../lib/async/memoize.ts'
import type { LocationSummary } from './schemas.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'data', 'place-names')
const LANGUAGES_MAX = 100

type Names = {
  readonly countries: Intl.DisplayNames
  /** By English name and country code: "Munich, DE". */
  readonly places: Readonly<Record<string, string>>
}

/** Undefined for English, in which the index is written. */
const readNames = memoize(LANGUAGES_MAX, (language: string): { readonly names: Names | undefined } => {
  if (language === CATALOGUE_LANGUAGE || Intl.DisplayNames.supportedLocalesOf(language).length === 0)
    return { names: undefined }
  const file = join(FOLDER, `${language}.json`)
  const places = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return { names: { countries: new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }), places } }
})

/** "Munich, Bavaria, Germany" is "München, Bayern, Deutschland" in German. Parts without a known name stay as they are. */
export function localName({ name, countryCode }: Pick<Location, 'name' | 'countryCode'>, tag: string): string {
  const { names } = readNames(primaryLanguage(tag))
  if (names === undefined || countryCode === '') return name
  const local = (part: string) => names.places[`${part}, ${countryCode}`]
  const parts = name.split(', ')
  const country = parts.pop() ?? ''
  return [
    ...parts.map((part) => local(part) ?? part),
    local(country) ?? names.countries.of(countryCode) ?? country,
  ].join(', ')
}

export const presentLocation = (location: Location, language: string): Static<typeof LocationSummary> => ({
  id: location.id,
  name: localName(location, language),
  type: location.type,
  country_code: location.countryCode,
  location: { lat: location.point.lat, lon: location.point.lon },
  iata: location.iata ?? null,
  timezone: location.timezone,
  ...(location.propertyId !== undefined && { property_id: location.propertyId }),
})

export const presentNeighbourhood = ({ id, name, point }: Location) => ({
  id,
  name,
  location: { lat: point.lat, lon: point.lon },
})
