import { packColumns } from '../../../scripts/locations/pack-columns.ts'
import { packKeys } from '../../../scripts/locations/pack-keys.ts'
import { packRows } from '../../../scripts/locations/pack-rows.ts'
import { createPlace, type Place } from '../../../scripts/locations/place.ts'
import { createLocationIndex, type LocationIndex } from '../../../src/locations/location-index.ts'

const COUNTRIES = [
  { code: 'FR', name: 'France', native: 'France', capital: 'Paris', otherNames: ['Frankreich'], codes: ['FR', 'FRA'] },
  { code: 'US', name: 'United States', native: 'United States', capital: '', otherNames: ['USA'], codes: ['US'] },
]
const REGIONS = new Map([
  ['FR.11', 'Île-de-France'],
  ['US.TX', 'Texas'],
])

export function createTestPlace(given: Partial<Place> & Pick<Place, 'name' | 'importance'>): Place {
  const key = `geonames:${[...given.name].reduce((sum, letter) => sum * 31 + (letter.codePointAt(0) ?? 0), 7) % 2 ** 24}`
  return createPlace({ key, type: 'city', countryCode: 'FR', lat: 48, lon: 2, timezone: 'Europe/Paris', ...given })
}

/** Index of a few places, packed and opened by the production code. */
export function smallIndex(places: readonly Place[]): LocationIndex {
  const shown = [...places]
    .sort((a, b) => b.importance - a.importance)
    .map((place) => ({ ...place, regionIsShown: place.regionCode !== '' }))
  const { meta, columns } = packRows(shown, COUNTRIES, REGIONS, new Map())
  return createLocationIndex(packColumns(meta, { ...columns, ...packKeys(shown) }))
}
