import { useEffect, useMemo, useState } from 'react'
import { FilterChips } from '../components/filter-chips.tsx'
import { FiltersPanel } from '../components/filters-panel.tsx'
import { LiveRegion } from '../components/live-region.tsx'
import { MapFrame } from '../components/map-frame.tsx'
import { Modal } from '../components/modal.tsx'
import { Notice } from '../components/notice.tsx'
import { Page } from '../components/page.tsx'
import { ResultsState } from '../components/results-empty.tsx'
import { NewResults, ResultsList } from '../components/results-list.tsx'
import { ResultsToolbar } from '../components/results-toolbar.tsx'
import { SearchSummary } from '../components/search-summary.tsx'
import { MissingVendors, VendorProgress } from '../components/vendor-progress.tsx'
import { useI18n } from '../i18n/i18n.tsx'
import { activeFilters } from '../state/facets.ts'
import { useWide } from '../state/media.ts'
import { navigate, useAddress } from '../state/router.ts'
import { nightsBetween, readStay, type StayForm, writeStay } from '../state/stay-form.ts'
import { type Results, useResults } from '../state/use-results.ts'

export default function ResultsPage() {
  const { query } = useAddress()
  const stay = useMemo(() => readStay(query), [query])
  useEffect(() => {
    if (stay === undefined) navigate('/', { replace: true })
  }, [stay])
  return stay === undefined ? null : <ResultsView stay={stay} query={query} />
}

type ViewProps = { stay: StayForm; query: URLSearchParams }

function ResultsView({ stay, query }: ViewProps) {
  const { t } = useI18n()
  const results = useResults(stay, query)
  const { run, listing, count, place, hrefOf } = results
  const [marked, setMarked] = useState<string>()
  const hasSide = useWide('64rem')
  const hasMap = useWide('72rem')
  const view = query.get('view') === 'map' && !hasMap ? 'map' : 'list'
  const isRunning = run.status === 'running'
  const map = (
    <MapFrame
      properties={listing.shown}
      centre={run.facts?.location.location}
      marked={marked}
      hrefOf={hrefOf}
      onMark={setMarked}
      onArea={(area) => navigate(`/search?${writeStay({ ...stay, area })}${view === 'map' ? '&view=map' : ''}`)}
    />
  )
  const list = (
    <ResultsList
      listKey={`${results.key} ${results.sort}`}
      nights={nightsBetween(stay.checkIn, stay.checkOut)}
      zone={run.facts?.location.timezone}
      onMark={setMarked}
      {...{ listing, place, hrefOf, marked }}
    />
  )
  return (
    <Page title={t('results_in', { place })} className="">
      <SearchSummary stay={stay} onSearch={(form) => navigate(`/search?${writeStay(form)}`)} />
      <LiveRegion text={isRunning ? t('live_count', { n: count }) : t('live_done', { n: count })} />
      <div className="mx-auto grid w-full max-w-[108rem] lg:grid-cols-[16rem_minmax(0,1fr)] map:grid-cols-[16rem_minmax(0,1fr)_minmax(22rem,36%)]">
        {hasSide && (
          // New filter options must not scroll the list next to them.
          <aside className="p-6 [overflow-anchor:none] lg:pl-10" aria-label={t('filters')}>
            <Filters results={results} />
          </aside>
        )}
        <section className="min-w-0 px-4 py-5 sm:px-6" aria-busy={isRunning} aria-label={t('results_in', { place })}>
          <Head results={results} view={view} query={query} hasSide={hasSide} hasMap={hasMap} />
          <ResultsState
            results={results}
            onPlace={(placeId, name) => navigate(`/search?${writeStay({ ...stay, placeId, place: name })}`)}
          />
          {view === 'map' ? <div className="card h-[70dvh] overflow-hidden">{map}</div> : list}
        </section>
        {hasMap && (
          <aside className="sticky top-0 h-dvh border-l border-line" aria-label={t('map')}>
            {listing.isGathering ? <div className="skeleton size-full rounded-none" /> : map}
          </aside>
        )}
      </div>
    </Page>
  )
}

function Filters({ results: { filters, facets, currency, onFilters } }: { results: Results }) {
  return <FiltersPanel filters={filters} facets={facets} currency={currency} onFilters={onFilters} />
}

type HeadProps = {
  results: Results
  view: 'list' | 'map'
  query: URLSearchParams
  hasSide: boolean
  hasMap: boolean
}

/** Above the list: number of results, vendors, sort order and, on narrow screens, the filters. */
function Head({ results, view, query, hasSide, hasMap }: HeadProps) {
  const { t } = useI18n()
  const { run, listing, filters, currency, count, place, onFilters } = results
  const [filtersOpen, setFiltersOpen] = useState(false)
  const total = t('results_count', { n: listing.all.length })
  const closeFilters = () => setFiltersOpen(false)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="text-2xl">{t('results_in', { place })}</h1>
        <p className="figures min-h-6 text-sm text-muted">
          {!listing.isGathering &&
            (count < listing.all.length
              ? t('results_of', { shown: count, n: total })
              : t('results_count', { n: count }))}
        </p>
      </div>
      <NewResults listing={listing} />
      <div className="mb-4 flex flex-col gap-3">
        <VendorProgress vendors={run.vendors} isRunning={run.status === 'running'} />
        <ResultsToolbar
          sort={results.sort}
          onSort={results.onSort}
          filterCount={activeFilters(filters).length}
          onFilters={hasSide ? undefined : () => setFiltersOpen(true)}
          view={view}
          onView={hasMap ? undefined : (next) => navigate(`/search?${withView(query, next)}`, { replace: true })}
        />
        <FilterChips filters={filters} currency={currency} onFilters={onFilters} />
        {run.status === 'done' && listing.all.length > 0 && (
          <MissingVendors vendors={run.vendors} onRetry={results.again} />
        )}
        {run.facts?.simulated && <Notice tone="info">{t('simulated_text')}</Notice>}
      </div>
      <Modal
        title={t('filters')}
        isOpen={filtersOpen}
        onClose={closeFilters}
        shape="sheet"
        footer={
          <button type="button" className="btn btn-primary w-full" onClick={closeFilters}>
            {t('show_results', { n: count })}
          </button>
        }
      >
        <Filters results={results} />
      </Modal>
    </>
  )
}

function withView(query: URLSearchParams, view: 'list' | 'map'): URLSearchParams {
  const next = new URLSearchParams(query)
  if (view === 'map') next.set('view', 'map')
  else next.delete('view')
  return next
}
