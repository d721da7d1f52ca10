import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import type { Summary } from '../api/shapes.ts'
import { navigate } from '../browser/router.ts'
import { isSameConditions } from '../search/conditions.ts'
import { buildSearchBody } from '../search/search-body.ts'
import { type SearchRun, searchAgain, useSearchRun } from '../search/search-store.ts'
import { type StayForm, writeStay } from '../search/stay-form.ts'
import { countFilterOptions, type Facets } from './filters/facets.ts'
import { type Filters, parseFilterQuery, type Sort, writeFilters } from './filters/filters.ts'
import { useNeighbourhoods } from './filters/use-neighbourhoods.ts'
import { findPlaceKind, type PlaceKind } from './place-kind.ts'
import { findSearchedProperty } from './searched-property.ts'
import { type ShownListing, useListing } from './use-listing.ts'

/** State and actions of the result list; the state is stored in the address. */
export type Results = {
  readonly key: string
  /** `key` without the conditions. */
  readonly stayKey: string
  readonly run: SearchRun
  readonly listing: ShownListing
  readonly facets: Facets
  /** True while `facets` still belong to the previous results. */
  readonly isCounting: boolean
  readonly filters: Filters
  readonly sort: Sort
  readonly currency: string
  /** Short name in the page's language: "Lisbon" for "Lisbon, Portugal". */
  readonly place: string
  readonly placeKind: PlaceKind | undefined
  readonly count: number
  linkTo(property: Summary): string
  searchAgain(): void
  onFilters(filters: Filters): void
  onSort(sort: Sort): void
}

/** Last list shown in this tab, with its filters, order and map. */
let lastShown: { readonly key: string; readonly query: string } | undefined

/** True if the list for a stay was the last one shown in this tab. */
export const wasListShown = (stay: StayForm): boolean => lastShown?.key === writeStay(stay).toString()

/** Address of the list for a stay, as last shown in this tab. */
export function resultsAddress(stay: StayForm, searchId: string | undefined): string {
  const key = writeStay(stay).toString()
  const query = new URLSearchParams(lastShown?.key === key ? lastShown.query : key)
  if (searchId === undefined) query.delete('search_id')
  else query.set('search_id', searchId)
  return `/search?${query}`
}

export function useResults(stay: StayForm, query: URLSearchParams): Results {
  const key = writeStay(stay).toString()
  const stayKey = writeStay({ ...stay, conditions: undefined }).toString()
  useEffect(() => {
    lastShown = { key, query: query.toString() }
  }, [key, query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the stay as text; an equal key is not a new search
  const body = useMemo(() => buildSearchBody(stay), [key])
  const run = useSearchRun(key, body, query.get('search_id') ?? undefined)
  const { filters, sort } = useMemo(() => parseFilterQuery(query), [query])
  const found = useNeighbourhoods(stay.placeId, run.found)
  const destination = useMemo(
    () => findSearchedProperty(stay.placeId, run.facts?.location, run.found),
    [stay.placeId, run.facts, run.found],
  )
  const listing = useListing({ key, stayKey }, { ...run, found }, filters, sort, destination)
  // Deferred so that the first cards are painted before filter options are counted.
  const counted = useDeferredValue(listing.all)
  const facets = useMemo(() => countFilterOptions(counted, filters), [counted, filters])
  useSearchIdInAddress(run.searchId, query)

  const show = (nextFilters: Filters, nextSort: Sort) => {
    const next = writeFilters(query, nextFilters, nextSort)
    if (isSameConditions(filters, nextFilters)) return navigate(`/search?${next}`, { replace: true })
    // Another search, so the back button returns to this one.
    next.delete('search_id')
    navigate(`/search?${next}`, { keepScroll: true })
  }
  const latestFilters = useRef<(next: Filters) => void>(undefined)
  latestFilters.current = (next) => show(next, sort)
  const onFilters = useCallback((next: Filters) => latestFilters.current?.(next), [])
  const propertyQuery = run.searchId === undefined ? key : `${key}&search_id=${run.searchId}`
  return {
    key,
    stayKey,
    run,
    listing,
    facets,
    isCounting: counted !== listing.all,
    filters,
    sort,
    currency: listing.all[0]?.currency ?? stay.currency,
    place: (run.facts?.location.name ?? stay.place).split(', ')[0] ?? '',
    placeKind: findPlaceKind(stay, run.facts?.location),
    count: listing.shown.length + listing.waiting,
    linkTo: (property) => `/property/${encodeURIComponent(property.property_id)}?${propertyQuery}`,
    searchAgain: () => searchAgain(key, body),
    onFilters,
    onSort: (next) => show(filters, next),
  }
}

/** Lets reloads, the back button and copied links find the same search. */
function useSearchIdInAddress(searchId: string | undefined, query: URLSearchParams): void {
  useEffect(() => {
    if (searchId === undefined || query.get('search_id') === searchId) return
    const next = new URLSearchParams(query)
    next.set('search_id', searchId)
    navigate(`/search?${next}`, { replace: true })
  }, [searchId, query])
}
