import { foldText } from '../../src/lib/text/fold-text.ts'
import type { Place } from './place.ts'

export type Displayed = Place & { regionIsShown: boolean }
type Names = {
  readonly countries: ReadonlyMap<string, string>
  readonly regions: ReadonlyMap<string, string>
  readonly counties: ReadonlyMap<string, string>
}

/** The name with the hierarchy after it; the same rule as in the index, which puts the parts together again. */
function displayName(place: Displayed, names: Names): string {
  const parts = [place.type === 'airport' ? `${place.name} (${place.codes[0]})` : place.name]
  if (place.detail !== '') parts.push(place.detail)
  if (place.regionIsShown) parts.push(names.regions.get(place.regionCode) ?? '')
  if (place.type !== 'country') parts.push(names.countries.get(place.countryCode) ?? '')
  return parts.join(', ')
}

/**
 * Decides what stands after each name, and drops what cannot be told apart. Most important first: of two places that
 * would read the same, the lesser gets its county inserted; if that does not help, it is left out.
 */
export function makeDistinct(places: readonly Place[], names: Names): Displayed[] {
  const taken = new Set<string>()
  return places.flatMap((place) => {
    const shown: Displayed = { ...place, regionIsShown: showsRegion(place, names) }
    if (tryTake(taken, shown, names)) return shown
    const county = names.counties.get(place.countyCode) ?? ''
    if (shown.type === 'city' && county !== '' && foldText(county) !== foldText(place.name)) {
      const told: Displayed = { ...shown, detail: county }
      if (tryTake(taken, told, names)) return told
    }
    // A region named like its chief city ("São Paulo"): say which is which.
    if (shown.type === 'region') {
      const told: Displayed = { ...shown, name: `${place.name} (region)`, names: [place.name, ...place.names] }
      if (tryTake(taken, told, names)) return told
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
