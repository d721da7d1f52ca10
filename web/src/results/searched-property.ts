import type { SearchResult, Summary } from '../api/shapes.ts'

/** Property searched for by name. Links made before the service accepted its id have another id until the search ends. */
export function findSearchedProperty(
  placeId: string,
  searched: SearchResult['location'] | undefined,
  found: ReadonlyMap<string, Summary>,
): string | undefined {
  if (searched !== undefined) return searched.property_id
  return found.has(placeId) ? placeId : undefined
}
