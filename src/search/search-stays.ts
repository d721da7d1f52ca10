import { AppError } from '../domain/errors.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import type { SavedSearch, SearchTerms, VendorOutcome } from '../domain/saved-search.ts'
import type { Stay } from '../domain/stay.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import { deriveSessionId } from '../lib/crypto/session-id.ts'
import { circleAround, distanceKm } from '../lib/geo.ts'
import { type Clock, monotonicMs } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { dateIn, type PlainDate } from '../lib/time/plain-date.ts'
import type { ZoneAt } from '../locations/zone-at.ts'
import { createSeller, type Pricing } from '../selling/seller.ts'
import { describeLimit } from '../vendors/capabilities.ts'
import { type ContentGaps, startAsking } from './ask-vendors.ts'
import { createMerge } from './merge-offers.ts'
import { createUsualPrices, type RankedProperty, rankProperties } from './rank.ts'
import { createProgressReporter, type SearchProgress } from './report-progress.ts'
import { packResults } from './saved-results.ts'
import { pricedSearch } from './search-terms.ts'
import { createSellProperty } from './sell-properties.ts'
import type { SearchStore } from './store/searches.ts'
import type { Candidate, ContentGap, OnFound, World } from './world.ts'

type SearchOrder = { readonly accountId: string; readonly terms: SearchTerms; readonly timeoutMs: number }
export type SearchOutcome = {
  readonly search: SavedSearch
  readonly properties: readonly RankedProperty[]
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
  /** Called with the real vendors that took part in a search. */
  onSearch?(accountId: string, vendorIds: readonly string[]): void
}

export class NoVendorAnswered extends AppError {
  readonly vendors: readonly VendorOutcome[]
  constructor(vendors: readonly VendorOutcome[]) {
    const areLate = vendors.every(({ status }) => status === 'timeout' || status === 'skipped')
    super(
      areLate ? 'vendor_timeout' : 'vendors_failed',
      areLate ? 'No vendor answered before the deadline.' : 'Every vendor that was asked failed.',
    )
    this.vendors = vendors
  }
}

/** Share of the search time for reading properties in an area that is new to us. */
const VISIT_SHARE = 0.75

/** When it returns, the search can be read by its id. */
export function createSearchStays(deps: SearchDeps): SearchStays {
  return async function searchStays(world, order, context, progress) {
    const outcome = await findStays(deps, world, order, context, progress)
    await deps.searches.save(outcome.search, await packResults(outcome.properties))
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

  const findZone = ({ point }: Candidate) => deps.zoneAt(point) ?? location.timezone
  const merge = createMerge(market.currency, deps.rates(), findZone)
  const usual = createUsualPrices(stay, market.currency, deps.rates())
  const reporter = progress && createProgressReporter(world.properties, progress, usual, sell)
  const asking = startAsking(
    deps,
    { ...world, vendors: selected },
    { stay, market, timezone: location.timezone },
    vendorContext,
    {
      onVendor: (outcome) => reporter?.vendor(outcome),
      onOffers(vendorId, offers) {
        const changed = merge.add(vendorId, offers)
        reporter?.found(changed)
      },
    },
  )
  const ask = (candidates: readonly Candidate[], radiusKm: number) => {
    const nearest = withDistances(order.terms, candidates.slice(0, deps.propertiesMax))
    merge.expect(nearest)
    reporter?.within(radiusKm)
    asking.ask(nearest)
    return nearest
  }
  const { radiusKm, candidates, gaps } = await findCandidates(deps, world, order, vendorContext, ask)
  const searched = ask(candidates, radiusKm)
  const vendors = await asking.finish(gaps)
  if (!world.simulated) deps.onSearch?.(order.accountId, askedVendors(vendors))
  const factsById = await world.properties.summaries(searched.map(({ propertyId }) => propertyId))
  const properties = rankProperties(merge.foundAmong(searched), factsById, radiusKm, usual, sell, location.propertyId)
  refuseIfAllFailed(vendors, properties)
  await reporter?.finish(properties)

  // An empty circle is widened, and the response says how far.
  const terms = { ...order.terms, radiusKm }
  const search = createSavedSearch(deps, world, { ...order, ...priced, terms, searchId }, vendors, properties)
  const isCut = candidates.length > searched.length
  return {
    search,
    properties,
    warnings: [
      ...(isCut ? [reachWarning(searched, terms)] : []),
      ...gapWarnings(gaps, vendors),
      ...ratesWarnings(vendors),
      ...skippedWarnings(selected, stay, dateIn(location.timezone, priced.now)),
      ...missingWarnings(terms, searched, vendors, properties),
    ],
  }
}

/** Share of the search time left for building the response. */
const ANSWER_SHARE = 0.05
const ANSWER_MIN_MS = 100

function searchContext(context: CallContext, order: SearchOrder, searchId: string, signal: AbortSignal): CallContext {
  const { accountId, terms, timeoutMs } = order
  const { customerIp = context.customerIp } = terms
  return {
    ...context,
    ...(customerIp !== undefined && { customerIp }),
    accountId,
    sessionId: deriveSessionId(searchId),
    signal,
    answerBy: monotonicMs() + timeoutMs - Math.max(ANSWER_MIN_MS, timeoutMs * ANSWER_SHARE),
  }
}

const askedVendors = (vendors: readonly VendorOutcome[]): string[] =>
  vendors.filter(({ status }) => status !== 'skipped').map(({ vendorId }) => vendorId)

function refuseIfAllFailed(vendors: readonly VendorOutcome[], properties: readonly RankedProperty[]): void {
  const asked = vendors.filter(({ status }) => status !== 'skipped')
  const allFailed = asked.length > 0 && asked.every(({ status }) => status === 'timeout' || status === 'error')
  if (properties.length === 0 && allFailed) throw new NoVendorAnswered(vendors)
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

/** A property that was searched by name must not be missing without a reason. */
function missingWarnings(
  { location: { propertyId: first, name } }: SearchTerms,
  searched: readonly Candidate[],
  vendors: readonly VendorOutcome[],
  properties: readonly RankedProperty[],
): string[] {
  if (first === undefined || properties.some(({ propertyId }) => propertyId === first)) return []
  const sellers = new Set(
    searched.find(({ propertyId }) => propertyId === first)?.vendors.map(({ vendorId }) => vendorId),
  )
  const asked = vendors.filter(({ vendorId, status }) => sellers.has(vendorId) && status !== 'skipped')
  // No vendor was asked: it lies outside the area, or only vendors that were not asked sell it.
  if (asked.length === 0) return []
  const failed = asked.filter(
    ({ status, reason }) => status === 'timeout' || status === 'error' || reason === 'rates_incomplete',
  )
  if (failed.length === 0) return [`${name} has no room for this stay. These are others nearby.`]
  const names = failed.map(({ vendorId }) => vendorId).join(', ')
  return [`It is not known if ${name} has a room for this stay: the response of ${names} was incomplete. Search again.`]
}

/** Without these, a response from incomplete content would look complete. */
function gapWarnings(gaps: ContentGaps, vendors: readonly VendorOutcome[]): string[] {
  const listVendors = (...kinds: ContentGap[]) =>
    vendors
      .filter(({ vendorId, reason }) => reason !== undefined && kinds.some((kind) => kind === gaps.get(vendorId)))
      .map(({ vendorId }) => vendorId)
      .join(', ')
  const [late, unread, cut] = [listVendors('timeout', 'error'), listVendors('unread'), listVendors('cut')]
  return [
    ...(late === ''
      ? []
      : [
          `Not all properties of ${late} in this area are known yet, so some may be missing. Search again in a few seconds.`,
        ]),
    ...(unread === ''
      ? []
      : [
          `Not all properties of ${unread} in this area have been read yet, so some may be missing. Search again later. Operators see the progress with \`serai content status\`.`,
        ]),
    ...(cut === ''
      ? []
      : [
          `Only the properties of ${cut} nearest to the middle of the area are known, so some may be missing. Search smaller areas.`,
        ]),
  ]
}

/** Without these, a missing property would look sold out, and the price shown would look like the lowest. */
const ratesWarnings = (vendors: readonly VendorOutcome[]): string[] =>
  vendors.flatMap(({ vendorId, reason }) =>
    reason === 'rates_incomplete'
      ? `Some rates of ${vendorId} did not arrive in time, so a property may be missing or cheaper than shown. Search again.`
      : [],
  )

/** Without these, a search that asked no vendor would look like one without rooms. */
const skippedWarnings = (vendors: World['vendors'], stay: Stay, today: PlainDate): string[] =>
  vendors.flatMap((vendor) => {
    const limit = describeLimit(vendor, stay, today)
    return limit === undefined ? [] : [`${vendor.id} was not asked: it takes ${limit}.`]
  })

/** Without this, a response that does not reach the edge of the circle would look complete. */
function reachWarning(candidates: readonly Candidate[], { area, radiusKm }: SearchTerms): string {
  if (area !== undefined)
    return `Only the ${candidates.length.toLocaleString('en')} properties nearest to the middle of the area were searched. To find others, search smaller areas.`
  const reach = Math.floor((candidates.at(-1)?.distanceKm ?? 0) * 10) / 10
  return `Only the nearest ${candidates.length.toLocaleString('en')} properties were searched, within ${reach} km of the destination instead of ${radiusKm} km. To find others, search smaller circles (\`radius_km\`) around places nearer to them.`
}

/** Prices offers by the current rules. */
async function preparePricing(deps: SearchDeps, { accountId, terms }: SearchOrder) {
  const pricing = await deps.pricing()
  const now = deps.clock.now()
  const seller = createSeller(pricing, pricedSearch(terms, accountId, now))
  return { now, rulesVersion: pricing.rules.version, sell: createSellProperty(seller, now) }
}

type Found = { readonly searchId: string; readonly now: number; readonly rulesVersion: number }

function createSavedSearch(
  deps: SearchDeps,
  { simulated }: World,
  { accountId, terms, searchId, now, rulesVersion }: SearchOrder & Found,
  vendors: readonly VendorOutcome[],
  properties: readonly RankedProperty[],
): SavedSearch {
  const converted = properties.some(({ offers }) => offers.some((offer) => offer.converted))
  return {
    searchId,
    accountId,
    createdAt: now,
    expiresAt: now + deps.savedTtlMs,
    simulated,
    terms,
    vendors,
    ratesDate: converted ? deps.rates().date : undefined,
    found: properties.length,
    ...(rulesVersion > 0 && { rulesVersion }),
  }
}
