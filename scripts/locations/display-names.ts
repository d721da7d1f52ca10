import { foldText } from '../../src/lib/text/fold-text.ts'
import type { Place } from './place.ts'

export type Displayed = Place & { regionIsShown: boolean }
type Names = {
  readonly countries: ReadonlyMap<string, string>
  readonly regions: ReadonlyMap<string, string>
  readonly counties: ReadonlyMap<string, string>
}

/** The name followed by its hierarchy, by the same rule as in the index, which rebuilds it. */
function displayName(place: Displayed, names: Names): string {
  const parts = [place.type === 'airport' ? `${place.name} (${place.codes[0]})` : place.name]
  if (place.detail !== '') parts.push(place.detail)
  if (place.regionIsShown) parts.push(names.regions.get(place.regionCode) ?? '')
  if (place.type !== 'country') parts.push(names.countries.get(place.countryCode) ?? '')
  return parts.join(', ')
}

/**
 * Decides the suffix of each name and drops places that cannot be distinguished. Of two places with the same display
 * name, the less important one gets its county inserted; if that does not help, it is dropped. Expects the most
 * important places first.
 */
export function makeDistinct(places: readonly Place[], names: Names): Displayed[] {
  const taken = new Set<string>()
  return places.flatMap((place) => {
    const shown: Displayed = { ...place, regionIsShown: showsRegion(place, names) }
    if (tryTake(taken, shown, names)) return shown
    const county = names.counties.get(place.countyCode) ?? ''
    if (shown.type === 'city' && county !== '' && foldText(county) !== foldText(place.name)) {
      const withCounty: Displayed = { ...shown, detail: county }
      if (tryTake(taken, withCounty, names)) return withCounty
    }
    // Distinguishes a region from its main city of the same name ("São Paulo").
    if (shown.type === 'region') {
      const withType: Displayed = { ...shown, name: `${place.name} (region)`, names: [place.name, ...place.names] }
      if (tryTake(taken, withType, names)) return withType
    }
    return []
  })
}

function tryTake(taken: Set<string>, place: Displayed, names: Names): boolean {
  const display = foldText(displayName(place, names))
  if (taken.has(display)) return false
  taken.add(display)
  return true
}

function showsRegion(place: Place, names: Names): boolean {
  const region = names.regions.get(place.regionCode)
  if (region === undefined || place.type === 'airport' || place.type === 'country') return false
  if (place.type === 'region' && place.key.startsWith('geonames.admin1:')) return false
  const folded = foldText(region)
  const country = foldText(names.countries.get(place.countryCode) ?? '')
  return folded !== foldText(place.name) && folded !== foldText(place.detail) && folded !== country
}
