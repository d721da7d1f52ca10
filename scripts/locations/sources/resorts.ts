import { distanceKm } from '../../../src/lib/geo.ts'
import { foldText } from '../../../src/lib/text/fold-text.ts'
import { FAME_STEP } from '../fame.ts'
import { createPlace, type Place } from '../place.ts'
import { createSpatialHash } from '../spatial-hash.ts'
import { readSeed, splitList } from './read-source.ts'
import { timezoneAt } from './timezone-at.ts'

const SAME_PLACE_WITHIN_KM = 15

/** Resorts as cities. A resort that exists in the base table is raised there instead of being added twice. */
export function readResorts(cities: readonly Place[]): Place[] {
  const near = createSpatialHash(cities, 0.5)
  return readSeed('resorts.psv').flatMap(([name = '', countryCode = '', lat, lon, steps, otherNames]) => {
    const point = { lat: Number(lat), lon: Number(lon) }
    const folded = foldText(name)
    const around = near(point)
      .filter((city) => city.countryCode === countryCode)
      .sort((a, b) => distanceKm(a, point) - distanceKm(b, point))
    const importance = 4 + FAME_STEP * Number(steps === '' ? 2 : steps)
    const existing = around.find(
      (city) => foldText(city.name) === folded && distanceKm(city, point) < SAME_PLACE_WITHIN_KM,
    )
    if (existing !== undefined) {
      existing.names.push(...splitList(otherNames))
      existing.importance = Math.max(existing.importance, importance)
      return []
    }
    return createPlace({
      key: `serai:city:${countryCode.toLowerCase()}:${folded.replaceAll(' ', '-')}`,
      type: 'city',
      name,
      countryCode,
      regionCode: around[0]?.regionCode ?? '',
      ...point,
      timezone: timezoneAt(point),
      radiusKm: 5,
      importance,
      names: splitList(otherNames),
    })
  })
}
