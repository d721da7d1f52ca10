import type { SearchResult, Summary } from '../api/shapes.ts'

/** Property searched for by name. For old links, which have a location id, it is known when the search ends. */
export function findSearchedProperty(
  placeId: string,
  searched: SearchResult['location'] | undefined,
  found: ReadonlyMap<string, Summary>,
): string | undefined {
  if (searched !== undefined) return searched.property_id
  return found.has(placeId) ? placeId : undefined
}
