import { isPointType } from '../search/point-type.ts'
import type { SearchFacts } from '../search/search-facts.ts'
import type { StayForm } from '../search/stay-form.ts'

export type PlaceKind = 'point' | 'area'

type Searched = Pick<StayForm, 'placeId' | 'isPoint' | 'area'>

/**
 * True if the address says that stays are near the place, not in it. Stays in an area of the map can be elsewhere. Known before
 * the search, so that the heading does not change while it is read.
 */
export const isNearPlace = ({ placeId, isPoint = false, area }: Searched): boolean =>
  isPoint || area !== undefined || placeId.startsWith('prp_')

/** Known at the end of the search, except for `isNearPlace`. */
export function findPlaceKind(
  stay: Searched,
  searched: Pick<SearchFacts['location'], 'type'> | undefined,
): PlaceKind | undefined {
  if (isNearPlace(stay)) return 'point'
  return searched && (isPointType(searched.type) ? 'point' : 'area')
}
