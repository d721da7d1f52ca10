import type { SearchFacts } from '../search/search-facts.ts'
import type { StayForm } from '../search/stay-form.ts'

export type PlaceKind = 'point' | 'area'

const AREAS: readonly SearchFacts['location']['type'][] = ['city', 'region', 'country', 'neighbourhood', 'area']

/**
 * A point is a landmark, a station, an airport or a property; stays are near it, not in it. So are the stays of an area of
 * the map, which can be elsewhere than its place. Other places are known at the end of the search.
 */
export function findPlaceKind(
  { placeId, area }: Pick<StayForm, 'placeId' | 'area'>,
  searched: Pick<SearchFacts['location'], 'type'> | undefined,
): PlaceKind | undefined {
  if (area !== undefined || placeId.startsWith('prp_')) return 'point'
  return searched && (AREAS.includes(searched.type) ? 'area' : 'point')
}
