import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useWide } from '../browser/media.ts'
import { getPreferences } from '../browser/preferences.ts'
import { navigate, useAddress } from '../browser/router.ts'
import { useIdle } from '../browser/use-idle.ts'
import { useI18n } from '../i18n/i18n.tsx'
import { canDrawMaps } from '../map/can-draw.ts'
import { MapFrame } from '../map/map-frame.tsx'
import { wasCurrencyJustChosen } from '../search/currency.ts'
import { LinkProblem } from '../search/link-problem.tsx'
import { rememberSearch } from '../search/recent-searches.ts'
import { SearchSummary } from '../search/search-summary.tsx'
import { nightsBetween, readLink, type StayForm, stayAddress, toStayForm, writeStay } from '../search/stay-form.ts'
import { hasMissingPrices, MissingVendors, SkippedVendors, VendorProgress } from '../search/vendor-progress.tsx'
import { LiveRegion } from '../ui/live-region.tsx'
import { Modal } from '../ui/modal.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { listActiveFilters } from './filters/facets.ts'
import { FilterChips } from './filters/filter-chips.tsx'
import { FiltersPanel } from './filters/filters-panel.tsx'
import { isNearPlace } from './place-kind.ts'
import { NewResults, ResultsList } from './results-list.tsx'
import { ResultsState } from './results-state.tsx'
import { HowWeSort, ResultsToolbar } from './results-toolbar.tsx'
import { type Results, useResults } from './use-results.ts'

/** `onShown` is called once the first results are painted. */
export default function ResultsPage({ onShown }: { onShown(): void }) {
  const { query } = useAddress()
  const { t } = useI18n()
  const link = useMemo(() => readLink(query, getPreferences().currency), [query])
  const search = (form: StayForm) => navigate(stayAddress(form))
  const stay = useMemo(() => toStayForm(link), [link])
  if (link.faults.length === 0) return <ResultsView stay={stay} query={query} onShown={onShown} />
  return (
    <Page title={t('link_title')} className="wrap py-8">
      <LinkProblem link={link} onSearch={search} />
    </Page>
  )
}

type ViewProps = { stay: StayForm; query: URLSearchParams; onShown(): void }

function ResultsView({ stay, query, onShown }: ViewProps) {
  const { t } = useI18n()
  const results = useResults(stay, query)
  const { run, listing, place, linkTo } = results
  const announcement = useAnnouncement(results)
  const title = t(isNearPlace(stay) ? 'results_near' : 'results_around', { place })
  const [marked, setMarked] = useState<string>()
  const hasSide = useWide('64rem')
  const hasMap = useWide('72rem') && canDrawMaps()
  const view = query.get('view') === 'map' && !hasMap && canDrawMaps() ? 'map' : 'list'
  const isRunning = run.status === 'running'
  useEffect(() => rememberSearch(stay), [stay])
  useOncePainted(!listing.isGathering, onShown)
  const map = (
    <MapFrame
      properties={listing.shown}
      searched={{ stayKey: results.stayKey, key: results.key }}
      centre={run.facts?.location.location}
      {...{ marked, linkTo }}
      onMark={setMarked}
      onArea={(area) => navigate(`/search?${writeStay({ ...stay, area })}${view === 'map' ? '&view=map' : ''}`)}
    />
  )
  const list = (
    <ResultsList
      isStale={listing.isStale}
      listKey={`${results.key} ${results.sort}`}
      nights={nightsBetween(stay.checkIn, stay.checkOut)}
      rooms={stay.rooms.length}
      zone={run.facts?.location.timezone}
      placeKind={results.placeKind}
      {...{ listing, place, linkTo, marked, onMark: setMarked }}
    />
  )
  return (
    <Page title={title} className="" focusKey={results.key}>
      {/* Not sticky with an open form or in a low window: there is not enough space. */}
      <div className="no-print top-0 z-30 border-b border-line bg-sunk has-[form]:static [@media(min-height:30rem)]:sticky [@media(min-height:30rem)]:has-[form]:static">
        <div className="mx-auto max-w-[108rem] px-4 py-1.5 sm:px-6 lg:px-10">
          <SearchSummary
            key={results.key}
            stay={stay}
            zone={run.facts?.location.timezone}
            onSearch={(form) => navigate(stayAddress(form))}
          />
        </div>
      </div>
      <LiveRegion text={announcement} />
      <div
        className={`mx-auto grid w-full max-w-[108rem] lg:grid-cols-[15rem_minmax(0,1fr)] ${hasMap ? 'map:grid-cols-[15rem_minmax(0,1fr)_minmax(21rem,34%)]' : ''}`}
      >
        <section
          id="results"
          tabIndex={-1}
          className="min-w-0 scroll-mt-20 px-4 py-2 outline-none sm:px-6 lg:order-2"
          aria-busy={isRunning}
          aria-label={title}
        >
          <ResultsHeader title={title} results={results} view={view} query={query} hasSide={hasSide} hasMap={hasMap} />
          <ResultsState
            results={results}
            onPlace={(placeId, name) => navigate(`/search?${writeStay({ ...stay, placeId, place: name })}`)}
          />
          {view === 'map' ? <div className="card h-[calc(100dvh-19.5rem)] min-h-80 overflow-hidden">{map}</div> : list}
        </section>
        {hasSide && <FiltersColumn results={results} />}
        {hasMap && <MapColumn isGathering={listing.isGathering}>{map}</MapColumn>}
      </div>
    </Page>
  )
}

function useOncePainted(isReady: boolean, onShown: () => void): void {
  const isPainted = useIdle(isReady)
  useEffect(() => {
    if (isPainted) onShown()
  }, [isPainted, onShown])
}

/**
 * Follows the list in the DOM, so that keyboard users reach the first result quickly. Scrolls by itself: a filter at
 * its end could otherwise leave a list that ends above the window.
 */
function FiltersColumn({ results }: { results: Results }) {
  const { t } = useI18n()
  return (
    <aside
      id="filters"
      tabIndex={-1}
      className="sticky top-15 max-h-[calc(100dvh-3.75rem)] self-start overflow-y-auto p-6 pr-2 [overflow-anchor:none] [scrollbar-width:thin] lg:order-1 lg:pl-10"
      aria-label={t('filters')}
      aria-busy={results.isCounting}
    >
      <Filters results={results} />
    </aside>
  )
}

/** The map is large, so it loads after the first results are painted. */
function MapColumn({ isGathering, children }: { isGathering: boolean; children: ReactNode }) {
  const { t } = useI18n()
  const isPainted = useIdle(!isGathering)
  return (
    <aside
      id="map"
      tabIndex={-1}
      className="sticky top-15 order-3 h-[calc(100dvh-3.75rem)] border-l border-line outline-none"
      aria-label={t('map')}
    >
      {isPainted && !isGathering ? children : <div className="skeleton size-full rounded-none" />}
    </aside>
  )
}

/** Silent until results arrive; a failure has its own announcement. */
function useAnnouncement({ run, listing, count }: Results): string {
  const { t } = useI18n()
  if (run.status === 'done') return t('live_done', { n: count })
  if (listing.isStale) return t('searching')
  if (run.status !== 'running' || listing.isGathering || count === 0) return ''
  return t('live_count', { n: count })
}

function Filters({ results: { filters, facets, currency, onFilters } }: { results: Results }) {
  return <FiltersPanel filters={filters} facets={facets} currency={currency} onFilters={onFilters} />
}

type HeadProps = {
  title: string
  results: Results
  view: 'list' | 'map'
  query: URLSearchParams
  hasSide: boolean
  hasMap: boolean
}

/** Number of results, vendors, sort order and, on narrow screens, the filters. */
function ResultsHeader({ title, results, view, query, hasSide, hasMap }: HeadProps) {
  const { t } = useI18n()
  const { listing, filters, currency, count, onFilters } = results
  const [filtersOpen, setFiltersOpen] = useState(false)
  const closeFilters = () => setFiltersOpen(false)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h1 className="text-xl">{title}</h1>
        <ResultCount results={results} />
        <ResultsToolbar
          sort={results.sort}
          onSort={results.onSort}
          filterCount={listActiveFilters(filters).length}
          onFilters={hasSide ? undefined : () => setFiltersOpen(true)}
          view={view}
          onView={
            hasMap || !canDrawMaps()
              ? undefined
              : (next) => navigate(`/search?${setView(query, next)}`, { replace: true })
          }
        />
      </div>
      <NewResults listing={listing}>
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1">
            <StatusLine results={results} />
          </div>
          <HowWeSort className="sm:hidden" />
        </div>
      </NewResults>
      <div className="mb-1 flex flex-col gap-2">
        <FilterChips filters={filters} currency={currency} onFilters={onFilters} />
        {!canDrawMaps() && (listing.isGathering || listing.shown.length > 0) && (
          <p className="text-xs text-muted">
            {t('map_failed')} {t('map_failed_list')}
          </p>
        )}
        <SkippedVendors vendors={results.run.vendors} />
        <ConvertedNotice results={results} />
        {wasCurrencyJustChosen() && (
          <Notice tone="info" role="status">
            {t('currency_changed', { currency })}
          </Notice>
        )}
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

/** Offers the vendors' own prices after the page has converted the list. */
function ConvertedNotice({ results: { run, currency, searchAgain } }: { results: Results }) {
  const { t, day } = useI18n()
  if (run.ratesDate === undefined) return null
  const again = (
    <button type="button" className="link min-h-8" onClick={searchAgain}>
      {t('search_again')}
    </button>
  )
  return (
    <Notice tone="info" role="status" action={again}>
      {t('currency_converted', { currency, date: day(run.ratesDate) })}
    </Notice>
  )
}

/** One line to save space: missing vendors, simulation, or progress. */
function StatusLine({ results: { run, listing, searchAgain } }: { results: Results }) {
  const { t } = useI18n()
  const isDone = run.status === 'done' && listing.all.length > 0
  if (isDone && hasMissingPrices(run.vendors)) return <MissingVendors vendors={run.vendors} onRetry={searchAgain} />
  if (run.facts?.simulated === true)
    return <p className="min-h-6 rounded-md bg-accent-wash px-3 py-0.5 text-xs">{t('simulated_text')}</p>
  return <VendorProgress vendors={run.vendors} isRunning={run.status === 'running'} />
}

/** "12 of 30 stays"; empty until known, and after a failure. */
function ResultCount({ results: { run, listing, count } }: { results: Results }) {
  const { t } = useI18n()
  const isKnown = !listing.isGathering && !listing.isStale && run.status !== 'failed' && run.status !== 'signed_out'
  const total = t('results_count', { n: listing.all.length })
  return (
    <p className="figures min-h-6 text-sm text-muted">
      {isKnown && (count < listing.all.length ? t('results_of', { shown: count, n: total }) : total)}
    </p>
  )
}

function setView(query: URLSearchParams, view: 'list' | 'map'): URLSearchParams {
  const next = new URLSearchParams(query)
  if (view === 'map') next.set('view', 'map')
  else next.delete('view')
  return next
}
