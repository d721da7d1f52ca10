import { AppError } from '../domain/app-error.ts'
import type { ExchangeRates } from '../domain/exchange.ts'
import type { SavedSearch, SearchTerms, VendorOutcome } from '../domain/saved-search.ts'
import type { CallContext } from '../lib/call-context.ts'
import { type Clock, monotonicMs } from '../lib/clock.ts'
import { startDeadline } from '../lib/deadline.ts'
import type { Ids } from '../lib/ids.ts'
import type { SearchStore } from '../store/searches.ts'
import type { AvailabilityAnswer, Vendor } from '../vendors/contract.ts'
import { askVendors, type VendorReport } from './ask-vendors.ts'
import { createMerge, type FoundProperty } from './merge-offers.ts'
import type { Candidate, PropertySource, ZoneAt } from './property-source.ts'
import { type RankedProperty, rank, scoreOf, usualPrices } from './rank.ts'
import { packResults } from './saved-results.ts'
import type { SharedAnswers } from './shared-answers.ts'

export type SearchOrder = { readonly accountId: string; readonly terms: SearchTerms; readonly timeoutMs: number }
export type SearchOutcome = {
  readonly search: SavedSearch
  readonly properties: readonly RankedProperty[]
  /** What the caller should know of how the answer came about. */
  readonly warnings: readonly string[]
  /** The search is being saved while its answer is written; nothing may be answered before this has resolved. */
  readonly saved: Promise<void>
}

/** Told of everything as it comes, for those who stream. */
export type SearchProgress = {
  onVendor(report: VendorOutcome): void
  onProperties(properties: readonly RankedProperty[]): void
}
export type SearchStays = (
  order: SearchOrder,
  context: CallContext,
  progress?: SearchProgress,
) => Promise<SearchOutcome>

export type SearchDeps = {
  readonly vendors: readonly Vendor[]
  readonly source: PropertySource
  readonly searches: SearchStore
  readonly answers: SharedAnswers<AvailabilityAnswer>
  readonly rates: () => ExchangeRates
  readonly zoneAt: ZoneAt
  readonly clock: Clock
  readonly ids: Ids
  readonly savedTtlMs: number
  readonly propertiesMax: number
  readonly simulated: boolean
  onBug(error: unknown, vendorId: string): void
}

const VISIT_SHARE = 0.7
/** How much of the time a vendor may take to tell what it has where nobody has looked before, while others wait. */
const PATIENCE_SHARE = 0.5

/** location → area → candidates → ask every vendor under one deadline → merge → rank → save. */
export function createSearchStays(deps: SearchDeps): SearchStays {
  return async function searchStays(order, context, progress) {
    using deadline = startDeadline(order.timeoutMs, context.signal)
    const { customerIp = context.customerIp } = order.terms
    const within = { ...context, ...(customerIp === undefined ? {} : { customerIp }), signal: deadline.signal }

    const { radiusKm, candidates, isCut, unreached, visitMs } = await lookAround(deps, order, within)
    // What is answered and kept is the circle that was looked at: it is wider where the one asked for was empty.
    const terms = { ...order.terms, radiusKm }
    const factsOf = await deps.source.summaries(candidates.map((candidate) => candidate.propertyId))

    const vendors = deps.vendors.filter((vendor) => terms.vendorIds.includes(vendor.id))
    const zoneOf = ({ point }: Candidate) => deps.zoneAt(point) ?? terms.location.timezone
    const merge = createMerge(candidates, terms.market.currency, deps.rates(), zoneOf)
    const provisional = (changed: readonly FoundProperty[]) => {
      const usual = usualPrices(merge.all(), factsOf)
      return changed.flatMap((property) => {
        const facts = factsOf.get(property.propertyId)
        return facts === undefined
          ? []
          : [{ ...property, facts, score: scoreOf(property, facts, usual, terms.radiusKm) }]
      })
    }
    const reports = await askVendors(
      { ...deps, vendors },
      { ...terms, timezone: terms.location.timezone, idsOf: idsByVendor(candidates), unreached, visitMs },
      within,
      (vendorId, offers) => {
        const changed = merge.add(vendorId, offers)
        if (progress !== undefined && changed.length > 0) progress.onProperties(provisional(changed))
      },
      (report) => progress?.onVendor(outcomeOf(report)),
    )
    const properties = rank(merge.all(), factsOf, terms.radiusKm)
    refuseIfAllFailed(reports, properties)

    const search = searchOf(deps, { ...order, terms }, reports, properties)
    const saved = packResults(properties).then((packed) => deps.searches.save(search, packed))
    // Whoever waits for it hears of a failure; should nobody come to wait, it must not end the process.
    saved.catch(() => undefined)
    return { search, properties, warnings: isCut ? [reachWarning(candidates, radiusKm)] : [], saved }
  }
}

/** Learning what is there may not use up the time for asking what is free: one slow feed must not cost every offer. */
async function lookAround(deps: SearchDeps, { terms, timeoutMs }: SearchOrder, context: CallContext) {
  using visit = startDeadline(timeoutMs * VISIT_SHARE, context.signal)
  const area = { center: terms.location.point, radiusKm: terms.radiusKm }
  const startedAt = monotonicMs()
  const within = { ...context, signal: visit.signal }
  // One more than is searched tells whether anything lies beyond.
  const found = await deps.source.around(area, deps.propertiesMax + 1, within, timeoutMs * PATIENCE_SHARE)
  const isCut = found.candidates.length > deps.propertiesMax
  const candidates = isCut ? found.candidates.slice(0, deps.propertiesMax) : found.candidates
  return { ...found, candidates, isCut, visitMs: monotonicMs() - startedAt }
}

/** A circle with more than we ask for is not searched to its rim; without a word that would look like all there is. */
function reachWarning(candidates: readonly Candidate[], radiusKm: number): string {
  const reach = Math.floor((candidates.at(-1)?.distanceKm ?? 0) * 10) / 10
  return `Only the nearest ${candidates.length.toLocaleString('en')} properties were searched: they reach ${reach} km of the ${radiusKm} km around the destination. For those beyond, search smaller circles (\`radius_km\`) around places nearer to them.`
}

function idsByVendor(candidates: readonly Candidate[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { vendors } of candidates) {
    for (const { vendorId, vendorPropertyId } of vendors) {
      const list = ids.get(vendorId)
      if (list === undefined) ids.set(vendorId, [vendorPropertyId])
      else list.push(vendorPropertyId)
    }
  }
  return ids
}

/** Whose fault an `internal` is, is not the client's business. */
export const outcomeOf = (report: VendorReport): VendorOutcome => ({
  ...report,
  status: report.status === 'internal' ? 'error' : report.status,
})

/** One vendor's trouble costs its own offers; only when nobody could answer is there no answer. */
function refuseIfAllFailed(reports: readonly VendorReport[], properties: readonly RankedProperty[]): void {
  const asked = reports.filter((report) => report.status !== 'skipped')
  if (asked.length === 0 || properties.length > 0 || asked.some((report) => report.status === 'ok')) return
  const vendors = reports.map(({ vendorId, tookMs, ...report }) => ({
    vendor_id: vendorId,
    status: outcomeOf({ vendorId, tookMs, ...report }).status,
    properties: 0,
    took_ms: tookMs,
  }))
  if (asked.every((report) => report.status === 'timeout')) {
    throw new AppError('vendor_timeout', 'No vendor answered before the deadline.', { extra: { vendors } })
  }
  throw new AppError('vendors_failed', 'Every vendor that was asked failed.', { extra: { vendors } })
}

function searchOf(
  deps: SearchDeps,
  order: SearchOrder,
  reports: readonly VendorReport[],
  properties: readonly RankedProperty[],
): SavedSearch {
  const now = deps.clock.now()
  const converted = properties.some((property) => property.offers.some((offer) => offer.converted))
  return {
    searchId: deps.ids.uuid(),
    accountId: order.accountId,
    createdAt: now,
    expiresAt: now + deps.savedTtlMs,
    simulated: deps.simulated,
    terms: order.terms,
    vendors: reports.map(outcomeOf),
    ratesDate: converted ? deps.rates().date : undefined,
    found: properties.length,
  }
}
