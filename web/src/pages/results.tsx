import { useEffect, useMemo, useState } from 'react'
import type { Summary } from '../api/shapes.ts'
import { FilterChips } from '../components/filter-chips.tsx'
import { FiltersPanel } from '../components/filters-panel.tsx'
import { LiveRegion } from '../components/live-region.tsx'
import { MapFrame } from '../components/map-frame.tsx'
import { Modal } from '../components/modal.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { Blank, NoMatch, SearchFailure } from '../components/results-empty.tsx'
import { NewResults, ResultsList, ResultsSkeleton } from '../components/results-list.tsx'
import { ResultsToolbar } from '../components/results-toolbar.tsx'
import { SearchSummary } from '../components/search-summary.tsx'
import { MissingVendors, VendorProgress } from '../components/vendor-progress.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { activeFilters, facetsOf } from '../state/facets.ts'
import { type Filters, readFilters, type Sort, writeFilters } from '../state/filters.ts'
import { useWide } from '../state/media.ts'
import { navigate, useAddress } from '../state/router.ts'
import { searchAgain, useSearchRun } from '../state/search-store.ts'
import { nightsBetween, readStay, type StayForm, searchBodyOf, writeStay } from '../state/stay-form.ts'
import { useListing } from '../state/use-listing.ts'

export default function ResultsPage() {
  const { query } = useAddress()
  const stay = useMemo(() => readStay(query), [query])
  useEffect(() => {
    if (stay === undefined) navigate('/', { replace: true })
  }, [stay])
  return stay === undefined ? null : <Results stay={stay} query={query} />
}

function Results({ stay, query }: { stay: StayForm; query: URLSearchParams }) {
  const { t } = useI18n()
  const key = writeStay(stay).toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the stay as text; an equal one is no new search
  const body = useMemo(() => searchBodyOf(stay), [key])
  const run = useSearchRun(key, body, query.get('search_id') ?? undefined)
  const { filters, sort } = useMemo(() => readFilters(query), [query])
  const listing = useListing(key, run, filters, sort)
  const facets = useMemo(() => facetsOf(listing.all, filters), [listing.all, filters])
  const [marked, setMarked] = useState<string>()
  const [filtersOpen, setFiltersOpen] = useState(false)
  const hasSide = useWide('64rem')
  const hasMap = useWide('72rem')
  const view = query.get('view') === 'map' && !hasMap ? 'map' : 'list'

  useEffect(() => {
    if (run.searchId === undefined || query.get('search_id') === run.searchId) return
    const next = new URLSearchParams(query)
    next.set('search_id', run.searchId)
    navigate(`/search?${next}`, { replace: true })
  }, [run.searchId, query])

  const again = () => searchAgain(key, body)
  const show = (nextFilters: Filters, nextSort: Sort) =>
    navigate(`/search?${writeFilters(query, nextFilters, nextSort)}`, { replace: true })
  const onFilters = (next: Filters) => show(next, sort)
  const propertyQuery = useMemo(() => {
    const next = writeStay(stay)
    if (run.searchId !== undefined) next.set('search_id', run.searchId)
    return next.toString()
  }, [stay, run.searchId])
  const hrefOf = (property: Summary) => `/property/${encodeURIComponent(property.property_id)}?${propertyQuery}`

  const place = run.facts?.location.name ?? stay.place
  const shortPlace = place.split(', ')[0] ?? ''
  const isRunning = run.status === 'running'
  const currency = listing.all[0]?.currency ?? stay.currency
  const count = listing.shown.length + listing.waiting
  const panel = <FiltersPanel filters={filters} facets={facets} currency={currency} onFilters={onFilters} />
  const map = (
    <MapFrame properties={listing.shown} centre={run.facts?.location.location} marked={marked} hrefOf={hrefOf} />
  )

  return (
    <Page title={t('results_in', { place: shortPlace })} className="">
      <SearchSummary stay={stay} onSearch={(form) => navigate(`/search?${writeStay(form)}`)} />
      <LiveRegion words={isRunning ? t('live_count', { n: count }) : t('live_done', { n: count })} />
      <div
        className={`mx-auto grid w-full max-w-[108rem] lg:grid-cols-[16rem_minmax(0,1fr)] map:grid-cols-[16rem_minmax(0,1fr)_minmax(22rem,36%)]`}
      >
        {hasSide && (
          // An option that appears must not scroll the list beside it: the browser would anchor to the filters.
          <aside className="p-6 [overflow-anchor:none] lg:pl-10" aria-label={t('filters')}>
            {panel}
          </aside>
        )}
        <section className="min-w-0 px-4 py-5 sm:px-6" aria-busy={isRunning}>
          <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
            <h1 className="text-2xl">{t('results_in', { place: shortPlace })}</h1>
            <p className="figures min-h-6 text-sm text-muted">
              {!listing.isGathering &&
                (count < listing.all.length
                  ? t('results_of', { shown: count, n: t('results_count', { n: listing.all.length }) })
                  : t('results_count', { n: count }))}
            </p>
          </div>
          <NewResults listing={listing} />
          <div className="mb-4 flex flex-col gap-3">
            <VendorProgress vendors={run.vendors} isRunning={isRunning} />
            <ResultsToolbar
              sort={sort}
              onSort={(next) => show(filters, next)}
              filterCount={activeFilters(filters).length}
              onFilters={hasSide ? undefined : () => setFiltersOpen(true)}
              view={view}
              onView={hasMap ? undefined : (next) => navigate(`/search?${withView(query, next)}`, { replace: true })}
            />
            <FilterChips filters={filters} currency={currency} onFilters={onFilters} />
            {!isRunning && listing.all.length > 0 && <MissingVendors vendors={run.vendors} onRetry={again} />}
            {run.facts?.simulated && <Notice tone="info">{t('simulated_words')}</Notice>}
          </div>
          {run.status === 'failed' && run.problem && (
            <SearchFailure
              problem={run.problem}
              onAgain={again}
              onPlace={(placeId, name) => navigate(`/search?${writeStay({ ...stay, placeId, place: name })}`)}
            />
          )}
          {run.status === 'signed_out' && (
            <Blank title={t('sign_in_to_go_on')} words={t('sign_in_needed')}>
              <button type="button" className="btn btn-primary" onClick={again}>
                {t('sign_in')}
              </button>
            </Blank>
          )}
          {listing.isGathering && <ResultsSkeleton />}
          {run.status === 'done' && listing.all.length === 0 && (
            <Blank title={t('no_results_title')} words={t('no_results_words')} />
          )}
          {!listing.isGathering && listing.all.length > 0 && listing.shown.length === 0 && (
            <NoMatch all={listing.all} filters={filters} currency={currency} onFilters={onFilters} />
          )}
          {view === 'map' ? (
            <div className="card h-[70dvh] overflow-hidden">{map}</div>
          ) : (
            <ResultsList
              listKey={`${key} ${sort}`}
              listing={listing}
              nights={nightsBetween(stay.checkIn, stay.checkOut)}
              place={shortPlace}
              hrefOf={hrefOf}
              marked={marked}
              onMark={setMarked}
            />
          )}
        </section>
        {hasMap && (
          <aside className="sticky top-0 h-dvh border-l border-line">
            {listing.isGathering ? <div className="skeleton size-full rounded-none" /> : map}
          </aside>
        )}
      </div>
      <Modal
        title={t('filters')}
        isOpen={filtersOpen}
        onClose={() => setFiltersOpen(false)}
        shape="sheet"
        footer={
          <button type="button" className="btn btn-primary w-full" onClick={() => setFiltersOpen(false)}>
            {t('show_results', { n: count })}
          </button>
        }
      >
        {panel}
      </Modal>
    </Page>
  )
}

function withView(query: URLSearchParams, view: 'list' | 'map'): URLSearchParams {
  const next = new URLSearchParams(query)
  if (view === 'map') next.set('view', 'map')
  else next.delete('view')
  return next
}
