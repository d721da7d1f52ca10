import { useDeferredValue, useEffect, useMemo } from 'react'
import type { Summary } from '../api/shapes.ts'
import { navigate } from '../browser/router.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { destinationOf } from '../property/property-location.ts'
import { searchBodyOf } from '../search/search-body.ts'
import { type SearchRun, searchAgain, useSearchRun } from '../search/search-store.ts'
import { type StayForm, writeStay } from '../search/stay-form.ts'
import { type Facets, facetsOf } from './filters/facets.ts'
import { type Filters, readFilters, type Sort, writeFilters } from './filters/filters.ts'
import { useNeighbourhoods } from './filters/use-neighbourhoods.ts'
import { type ShownListing, useListing } from './use-listing.ts'

/** The state and actions of the result list; the state is kept in the address. */
export type Results = {
  readonly key: string
  readonly run: SearchRun
  readonly listing: ShownListing
  readonly facets: Facets
  /** True while `facets` are still those of the previous results. */
  readonly isCounting: boolean
  readonly filters: Filters
  readonly sort: Sort
  readonly currency: string
  /** "Lisbon" of "Lisbon, Portugal", in the language of the page. */
  readonly place: string
  readonly count: number
  hrefOf(property: Summary): string
  again(): void
  onFilters(filters: Filters): void
  onSort(sort: Sort): void
}

/** The address of the list that this tab has shown last, with its filters, order and map. */
let seenLast: { readonly key: string; readonly query: string } | undefined

/** The address of the list for a stay, as this tab has shown it last. */
export function resultsAddress(stay: StayForm, searchId: string | undefined): string {
  const key = writeStay(stay).toString()
  const query = new URLSearchParams(seenLast?.key === key ? seenLast.query : key)
  if (searchId === undefined) query.delete('search_id')
  else query.set('search_id', searchId)
  return `/search?${query}`
}

export function useResults(stay: StayForm, query: URLSearchParams): Results {
  const { placeName } = useI18n()
  const key = writeStay(stay).toString()
  useEffect(() => {
    seenLast = { key, query: query.toString() }
  }, [key, query])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the stay as text; an equal one is no new search
  const body = useMemo(() => searchBodyOf(stay), [key])
  const run = useSearchRun(key, body, query.get('search_id') ?? undefined)
  const { filters, sort } = useMemo(() => readFilters(query), [query])
  const found = useNeighbourhoods(stay.placeId, run.found)
  const destination = useMemo(
    () => destinationOf(stay.placeId, run.facts?.location, run.found),
    [stay.placeId, run.facts, run.found],
  )
  const listing = useListing(key, { ...run, found }, filters, sort, destination)
  // Deferred, so that the first cards are painted before the filter options are counted.
  const counted = useDeferredValue(listing.all)
  const facets = useMemo(() => facetsOf(counted, filters), [counted, filters])
  useSearchIdInAddress(run.searchId, query)

  const show = (nextFilters: Filters, nextSort: Sort) =>
    navigate(`/search?${writeFilters(query, nextFilters, nextSort)}`, { replace: true })
  const propertyQuery = run.searchId === undefined ? key : `${key}&search_id=${run.searchId}`
  return {
    key,
    run,
    listing,
    facets,
    isCounting: counted !== listing.all,
    filters,
    sort,
    currency: listing.all[0]?.currency ?? stay.currency,
    place: placeName(run.facts?.location.name ?? stay.place).split(', ')[0] ?? '',
    count: listing.shown.length + listing.waiting,
    hrefOf: (property) => `/property/${encodeURIComponent(property.property_id)}?${propertyQuery}`,
    again: () => searchAgain(key, body),
    onFilters: (next) => show(next, sort),
    onSort: (next) => show(filters, next),
  }
}

/** Lets a reload, the back button or a copied link find the same search. */
function useSearchIdInAddress(searchId: string | undefined, query: URLSearchParams): void {
  useEffect(() => {
    if (searchId === undefined || query.get('search_id') === searchId) return
    const next = new URLSearchParams(query)
    next.set('search_id', searchId)
    navigate(`/search?${next}`, { replace: true })
  }, [searchId, query])
}
