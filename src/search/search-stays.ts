import { AppError } from '../domain/errors.ts'
import { fairnessKey } from '../domain/guest-access.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { SavedSearch, SearchResult, SearchTerms, VendorOutcome } from '../domain/saved-search.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import { deriveSessionId } from '../lib/crypto/session-id.ts'
import { circleAround, distanceKm } from '../lib/geo.ts'
import { type Clock, monotonicMs } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { dateIn } from '../lib/time/plain-date.ts'
import type { ZoneAt } from '../locations/zone-at.ts'
import { createSeller, type Pricing } from '../selling/seller.ts'
import { startAsking } from './ask-vendors.ts'
import { describeGaps } from './describe-gaps.ts'
import { createMerge } from './merge-offers.ts'
import { createUsualPrices, rankResults, scoreResult } from './rank.ts'
import { createProgressReporter, type SearchProgress } from './report-progress.ts'
import { packResults } from './saved-results.ts'
import { pricedSearch } from './search-terms.ts'
import { createSellOffers } from './sell-offers.ts'
import type { SearchStore } from './store/searches.ts'
import type { Candidate, OnFound, World } from './world.ts'

type SearchOrder = { readonly accountId: string; readonly terms: SearchTerms; readonly timeoutMs: number }
export type SearchOutcome = {
  readonly search: SavedSearch
  readonly results: readonly SearchResult[]
  /** Gaps and limits of the result, for the caller. */
  readonly warnings: readonly string[]
}

export type SearchStays = (
  world: World,
  order: SearchOrder,
  context: CallContext,
  progress?: SearchProgress,
) => Promise<SearchOutcome>

export type SearchDeps = {
  readonly searches: SearchStore
  readonly rates: () => ExchangeRates
  /** By the current rules, or by an earlier version. */
  readonly pricing: (version?: number) => Promise<Pricing>
  readonly zoneAt: ZoneAt
  readonly clock: Clock
  readonly ids: Ids
  readonly savedTtlMs: number
  readonly propertiesMax: number
  onBug(error: unknown, vendorId: string): void
  /** Called if a vendor rejects a condition that it should support. */
  onRefusedCondition?(error: unknown, vendorId: string): void
  /** Called with the real vendors that took part in a search. */
  onSearch?(accountId: string, vendorIds: readonly string[]): void
}

export class NoVendorAnswered extends AppError {
  readonly vendors: readonly VendorOutcome[]
  constructor(vendors: readonly VendorOutcome[]) {
    const areLate = vendors.every(({ status }) => status === 'timeout' || status === 'skipped')
    super(
      areLate ? 'vendor_timeout' : 'vendors_failed',
      areLate
        ? 'No vendor answered before the deadline. Search again, if possible with a higher timeout_ms.'
        : 'Every vendor that was asked failed. Search again later.',
      { failedVendors: vendors },
    )
    this.vendors = vendors
  }
}

/** Share of the search time for reading properties in an area that is new to us. */
const VISIT_SHARE = 0.75

/** Returns after the search was saved, so that it can be read by its id. */
export function createSearchStays(deps: SearchDeps): SearchStays {
  return async function searchStays(world, order, context, progress) {
    const outcome = await findStays(deps, world, order, context, progress)
    await deps.searches.save(outcome.search, await packResults(outcome.results))
    return outcome
  }
}

/** location → area → candidates → ask every vendor under one deadline → merge → rank. */
export async function findStays(
  deps: SearchDeps,
  world: World,
  order: SearchOrder,
  context: CallContext,
  progress?: SearchProgress,
): Promise<SearchOutcome> {
  using deadline = startDeadline(order.timeoutMs, context.signal)
  const searchId = deps.ids.uuid()
  const vendorContext = searchContext(context, order, searchId, deadline.signal)
  const { location, market, stay, vendorIds } = order.terms
  const selected = world.vendors.filter(({ id }) => vendorIds.includes(id))
  const { sell, ...priced } = await preparePricing(deps, order)

  const usual = createUsualPrices(stay, market.currency, deps.rates())
  const merge = createMerge({
    currency: market.currency,
    rates: deps.rates(),
    sell,
    score: (result, km) => scoreResult(result, km, usual),
    findZone: ({ point }) => deps.zoneAt(point) ?? location.timezone,
  })
  /** As far as known. */
  let searchedKm = 0
  const reporter =
    progress &&
    createProgressReporter(world.properties, progress, (ids, facts) => merge.results(ids, facts, searchedKm))
  const asking = startAsking(deps, { ...world, vendors: selected }, readQuestion(order.terms), vendorContext, {
    onVendor: (outcome) => reporter?.vendor(outcome),
    onOffers(vendorId, offers) {
      const changed = merge.add(vendorId, offers)
      reporter?.found(changed)
    },
  })
  const ask = (found: readonly Candidate[], km: number) => {
    const nearest = withDistances(order.terms, found.slice(0, deps.propertiesMax))
    merge.expect(nearest)
    searchedKm = km
    asking.ask(nearest)
    return nearest
  }
  const { radiusKm, candidates: found, gaps } = await findCandidates(deps, world, order, vendorContext, ask)
  const candidates = ask(found, radiusKm)
  const vendors = await asking.finish(gaps)
  if (!world.simulated) deps.onSearch?.(order.accountId, askedVendors(vendors))
  const ids = candidates.map(({ propertyId }) => propertyId)
  const facts = await world.properties.summaries(ids)
  const results = rankResults(merge.results(ids, facts, radiusKm), location.propertyId)
  refuseIfAllFailed(vendors, results)
  await reporter?.finish(results)

  // An empty circle is widened, and the response says how far.
  const terms = { ...order.terms, radiusKm }
  const search = createSavedSearch(deps, world, { ...order, ...priced, terms, searchId }, vendors, results)
  const today = dateIn(location.timezone, priced.now)
  const isCut = found.length > candidates.length
  const warnings = describeGaps({ terms, selected, vendors, gaps, candidates, isCut, results, today })
  return { search, results, warnings }
}

const readQuestion = ({ stay, market, location, conditions }: SearchTerms) => ({
  ...{ stay, market, timezone: location.timezone },
  ...(conditions && { conditions }),
})

/** Share of the search time left for building the response. */
const ANSWER_SHARE = 0.05
const ANSWER_MIN_MS = 100

function searchContext(context: CallContext, order: SearchOrder, searchId: string, signal: AbortSignal): CallContext {
  const { accountId, terms, timeoutMs } = order
  const { customerIp = context.customerIp } = terms
  return {
    ...context,
    ...(customerIp !== undefined && { customerIp }),
    accountId: fairnessKey(accountId, context.customerIp),
    sessionId: deriveSessionId(searchId),
    signal,
    answerBy: monotonicMs() + timeoutMs - Math.max(ANSWER_MIN_MS, timeoutMs * ANSWER_SHARE),
  }
}

const askedVendors = (vendors: readonly VendorOutcome[]): string[] =>
  vendors.filter(({ status }) => status !== 'skipped').map(({ vendorId }) => vendorId)

function refuseIfAllFailed(vendors: readonly VendorOutcome[], results: readonly SearchResult[]): void {
  const asked = vendors.filter(({ status }) => status !== 'skipped')
  const allFailed = asked.length > 0 && asked.every(({ status }) => status === 'timeout' || status === 'error')
  if (results.length === 0 && allFailed) throw new NoVendorAnswered(vendors)
}

/** Leaves time to ask for availability. If no property is known by then, reading gets the rest of the time. */
async function findCandidates(
  deps: SearchDeps,
  world: World,
  { terms, timeoutMs }: SearchOrder,
  context: CallContext,
  onFound: OnFound,
) {
  using visit = startDeadline(timeoutMs * VISIT_SHARE, context.signal)
  const { area: box, location } = terms
  const region =
    box === undefined ? { center: location.point, radiusKm: terms.radiusKm } : { ...circleAround(box), box }
  // One more than is searched shows whether others lie beyond.
  const find = (signal: AbortSignal) =>
    world.properties.around(region, deps.propertiesMax + 1, { ...context, signal }, onFound)
  const found = await find(visit.signal)
  return found.candidates.length === 0 && visit.signal.aborted ? find(context.signal) : found
}

/** Distances are measured from the destination even if the search area is elsewhere. */
function withDistances({ area, location }: SearchTerms, candidates: readonly Candidate[]): readonly Candidate[] {
  if (area === undefined) return candidates
  return candidates.map((candidate) => ({ ...candidate, distanceKm: distanceKm(location.point, candidate.point) }))
}

/** Prices offers by the current rules. */
async function preparePricing(deps: SearchDeps, { accountId, terms }: SearchOrder) {
  const pricing = await deps.pricing()
  const now = deps.clock.now()
  const seller = createSeller(pricing, pricedSearch(terms, accountId, now))
  return { now, rulesVersion: pricing.rules.version, sell: createSellOffers(seller, now, terms.conditions) }
}

type Found = { readonly searchId: string; readonly now: number; readonly rulesVersion: number }

function createSavedSearch(
  deps: SearchDeps,
  { simulated }: World,
  { accountId, terms, searchId, now, rulesVersion }: SearchOrder & Found,
  vendors: readonly VendorOutcome[],
  results: readonly SearchResult[],
): SavedSearch {
  const converted = results.some(({ offers }) => offers.some((offer) => offer.converted))
  return {
    searchId,
    accountId,
    createdAt: now,
    expiresAt: now + deps.savedTtlMs,
    simulated,
    terms,
    vendors,
    ratesDate: converted ? deps.rates().date : undefined,
    found: results.length,
    ...(rulesVersion > 0 && { rulesVersion }),
  }
}
