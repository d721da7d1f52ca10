import type { LocationType } from '../../../src/domain/property/location.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { foldText } from '../../../src/lib/text/fold-text.ts'
import { findHeaviest } from '../extent.ts'
import { FAME_STEP } from '../fame.ts'
import { createPlace, type Place } from '../place.ts'
import { createSpatialHash } from '../spatial-hash.ts'
import { readSeed, splitList } from './read-source.ts'
import { timezoneAt } from './timezone-at.ts'

/** At a greater distance the hand-written coordinates or the city must be wrong. */
const HOST_CITY_WITHIN_KM = 160

export function readAreas(cities: readonly Place[]): Place[] {
  const near = createSpatialHash(cities, 1)
  return readSeed('areas.psv').map(([name = '', countryCode = '', lat, lon, radius, steps, otherNames]) => {
    const point = { lat: Number(lat), lon: Number(lon) }
    const radiusKm = Number(radius)
    const inside = near(point).filter((city) => city.countryCode === countryCode && distanceKm(city, point) <= radiusKm)
    return createPlace({
      key: seedKey('area', name, countryCode),
      type: 'area',
      name,
      countryCode,
      regionCode: soleRegion(inside),
      ...point,
      timezone: timezoneAt(point),
      radiusKm,
      importance: 5 + FAME_STEP * readSteps(steps, 2),
      names: splitList(otherNames),
    })
  })
}

/** Region that contains nearly all of the area, if any; a mountain range has none. */
function soleRegion(inside: readonly Place[]): string {
  if (inside.length === 0) return ''
  const code = findHeaviest(
    inside,
    (city) => city.regionCode,
    () => 1,
  )
  return inside.filter((city) => city.regionCode === code).length > 0.8 * inside.length ? code : ''
}

type SightKind = { file: string; type: LocationType; importance: number; steps: number; radiusKm: number }
const SIGHTS: readonly SightKind[] = [
  { file: 'landmarks.psv', type: 'landmark', importance: 4.2, steps: 2, radiusKm: 3 },
  { file: 'neighbourhoods.psv', type: 'neighbourhood', importance: 4.2, steps: 2, radiusKm: 2 },
  { file: 'stations.psv', type: 'station', importance: 4.1, steps: 1, radiusKm: 2 },
]

/** Points in or near a city, whose region they get. */
export function readSights(cities: readonly Place[]): Place[] {
  const near = createSpatialHash(cities, 2)
  return SIGHTS.flatMap(({ file, type, importance, steps, radiusKm }) =>
    readSeed(file).map(([name = '', city = '', countryCode = '', lat, lon, fameSteps, otherNames]) => {
      const point = { lat: Number(lat), lon: Number(lon) }
      const around = near(point).filter((place) => place.countryCode === countryCode && place.type === 'city')
      const host = around
        .filter((place) => isNamed(place, city) && distanceKm(place, point) < HOST_CITY_WITHIN_KM)
        .sort((a, b) => b.population - a.population)[0]
      const nearest = [...around].sort((a, b) => distanceKm(a, point) - distanceKm(b, point))[0]
      if (host === undefined && nearest === undefined) throw new Error(`${file}: nothing near ${name}, ${city}`)
      return createPlace({
        key: seedKey(type, `${name} ${city}`, countryCode),
        type,
        name,
        countryCode,
        regionCode: (host ?? nearest)?.regionCode ?? '',
        detail: city,
        ...point,
        timezone: timezoneAt(point),
        radiusKm,
        importance: importance + FAME_STEP * readSteps(fameSteps, steps),
        names: splitList(otherNames),
        aliases: [`${city} ${name}`],
      })
    }),
  )
}

function isNamed(place: Place, name: string): boolean {
  const folded = foldText(name)
  return foldText(place.name) === folded || place.aliases.some((alias) => foldText(alias) === folded)
}

const seedKey = (type: LocationType, name: string, countryCode: string): string =>
  `serai:${type}:${countryCode.toLowerCase()}:${foldText(name).replaceAll(' ', '-')}`

const readSteps = (field: string | undefined, fallback: number): number =>
  field === undefined || field === '' ? fallback : Number(field)
