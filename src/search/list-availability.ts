import { toMajor } from '../domain/money/money.ts'
import { BOARDS } from '../domain/offer.ts'
import { AMENITIES } from '../domain/property/amenity.ts'
import type { SavedSearch, SearchResult } from '../domain/saved-search.ts'
import type { Simulation } from '../domain/simulation.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import { foldText } from '../lib/text/fold-text.ts'
import { defineList } from '../lists/definition.ts'
import type { PlannedFilter } from '../lists/filter-test.ts'
import type { ListPage } from '../lists/meta.ts'
import type { ListPlan } from '../lists/plan.ts'
import { runInMemorySlices } from '../lists/run-in-memory.ts'
import { type Charge, testsPerRow } from '../lists/work.ts'
import { findLiveSearch, liveSearch } from './property-detail.ts'
import { unpackAll } from './saved-results.ts'
import { findStays, type SearchDeps } from './search-stays.ts'
import type { World, Worlds } from './world.ts'

export const AVAILABILITY_LIST = defineList({
  fields: {
    property_id: { type: 'string', filterable: true, nullable: false },
    name: { type: 'string', sortable: true, filterable: true, nullable: false },
    total_price: { type: 'float', sortable: true, filterable: true, nullable: false },
    star_rating: { type: 'float', sortable: true, filterable: true, nullable: false },
    guest_rating: { type: 'float', sortable: true, filterable: true, nullable: false },
    distance_km: { type: 'float', sortable: true, filterable: true, nullable: false },
    score: { type: 'float', sortable: true, nullable: false },
    free_cancellation: { type: 'boolean', filterable: true, nullable: false },
    board: { type: 'enum', values: BOARDS, filterable: true, nullable: false },
    amenities: { type: 'string_array', filterable: true, nullable: false },
    vendor_id: { type: 'string', filterable: true, nullable: false },
  },
  tiebreaker: 'property_id',
  ranked: true,
})

/** Internal field; clients see only `name`. */
const WRITTEN_NAME = 'name_as_written'

const FIELDS: Readonly<Record<string, (result: SearchResult) => unknown>> = {
  property_id: ({ propertyId }) => propertyId,
  name: ({ facts }) => facts.nameFolded,
  [WRITTEN_NAME]: ({ facts }) => facts.name,
  total_price: ({ offers: [best] }) => best && toMajor(best.total),
  star_rating: ({ facts }) => facts.starRating,
  guest_rating: ({ facts }) => facts.guestRatings.overall,
  distance_km: ({ distanceKm }) => distanceKm,
  score: ({ score }) => score,
  free_cancellation: ({ offers }) => offers.some(({ freeCancellation }) => freeCancellation !== undefined),
  board: ({ offers: [best] }) => best?.board,
  amenities: ({ facts }) => facts.amenitySlugs,
  vendor_id: ({ offers: [best] }) => best?.vendorId,
}

export const readAvailability = (result: SearchResult, field: string) => FIELDS[field]?.(result) ?? null

export type AvailabilityPage = {
  readonly search: SavedSearch
  readonly page: ListPage<SearchResult>
  readonly facets: Facets
}

type AvailabilityOrder = {
  readonly accountId: string
  readonly searchId: string
  /** Hides real searches from the caller. */
  readonly onlySimulated?: boolean
}

export type ListAvailability = (
  order: AvailabilityOrder,
  plan: ListPlan,
  simulation: Simulation | undefined,
  context: CallContext,
  charge: Charge,
) => Promise<AvailabilityPage>

type Deps = SearchDeps & { readonly worlds: Worlds; readonly detailTimeoutMs: number }

/** A page of a search's properties, with facets of all of them. */
export function createListAvailability(deps: Deps): ListAvailability {
  return async function listAvailability(order, plan, simulation, context, charge) {
    const { accountId, searchId } = order
    const world = deps.worlds.select(simulation)
    const sample = world.samples?.search(accountId, searchId)
    const { search, results } =
      sample !== undefined && !(await isSaved(deps, order))
        ? await sampleResults(deps, world, sample, context)
        : await savedResults(deps, order)
    await charge(results.length * testsPerRow(plan))
    const page = await runInMemorySlices(splitNameField(plan), results, readAvailability)
    return { search, page, facets: countSearchFacets(results) }
  }
}

/** True if there is a search to show instead of a sample. */
async function isSaved(deps: Deps, { accountId, onlySimulated = false, searchId }: AvailabilityOrder) {
  const live = await findLiveSearch(deps, accountId, searchId)
  return live !== undefined && (live.search.simulated || !onlySimulated)
}

/** Results of a search that was never made. Nothing is stored. */
async function sampleResults(deps: Deps, world: World, search: SavedSearch, context: CallContext) {
  const order = { accountId: search.accountId, terms: search.terms, timeoutMs: deps.detailTimeoutMs }
  const { results } = await findStays(deps, world, order, context)
  return { search: { ...search, found: results.length }, results }
}

/** Sorting, ranges and case-insensitive operators use the folded name, all others the name as written. */
function splitNameField(plan: ListPlan): ListPlan {
  const fields = new Map(plan.definition.fields).set(WRITTEN_NAME, { type: 'string', nullable: false })
  return {
    ...plan,
    definition: { ...plan.definition, fields },
    filters: plan.filters.map((filter) => (filter.field === 'name' ? nameFilter(filter) : filter)),
  }
}

function nameFilter(filter: PlannedFilter): PlannedFilter {
  const { test } = filter
  if (test.kind === 'text' && test.ignoreCase) {
    const terms = test.terms.map(foldText).filter((term) => term !== '')
    // A term such as "&" folds to nothing. It is searched as written instead of matching everything.
    if (terms.length > 0) return { ...filter, test: { ...test, terms } }
  }
  if (test.kind === 'compare' && test.comparison !== '==' && test.comparison !== '!=')
    return { ...filter, test: { ...test, value: foldText(String(test.value)) } }
  return { ...filter, field: WRITTEN_NAME }
}

export async function savedResults(
  deps: Pick<Deps, 'searches' | 'clock' | 'worlds'>,
  { accountId, searchId, onlySimulated }: AvailabilityOrder,
) {
  const { search, results } = await liveSearch(deps, accountId, searchId, onlySimulated)
  const saved = await unpackAll(results)
  const { properties } = deps.worlds.select(undefined, search)
  const factsById = await properties.summaries(saved.map(({ propertyId }) => propertyId))
  const described = saved.flatMap((result): SearchResult[] => {
    const facts = factsById.get(result.propertyId)
    return facts === undefined ? [] : [{ ...result, facts }]
  })
  return { search, results: described }
}

type Facets = ReturnType<typeof countSearchFacets>

const HISTOGRAM_BARS = 12

/** Number of properties that each filter would leave. */
export function countSearchFacets(results: readonly SearchResult[]) {
  const stars: Record<string, number> = {}
  const amenities: Record<string, number> = {}
  for (const { facts } of results) {
    increment(stars, String(Math.floor(facts.starRating)))
    for (const slug of facts.amenitySlugs) increment(amenities, slug)
  }
  const present = AMENITIES.filter(({ slug }) => amenities[slug] !== undefined)
  return {
    stars,
    amenities: present.map(({ slug, label }) => ({ slug, label, count: amenities[slug] ?? 0 })),
    price: buildHistogram(results.flatMap(({ offers }) => (offers[0] === undefined ? [] : [toMajor(offers[0].total)]))),
  }
}

function increment(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1
}

function buildHistogram(prices: number[]) {
  if (prices.length === 0) return { min: 0, max: 0, bars: [] }
  const min = Math.floor(Math.min(...prices))
  const max = Math.ceil(Math.max(...prices))
  // Whole steps give readable bounds that can be sent back as a filter.
  const step = Math.max(1, Math.ceil((max - min) / HISTOGRAM_BARS))
  const bars = Array.from({ length: HISTOGRAM_BARS }, (_, index) => ({
    from: min + index * step,
    to: min + (index + 1) * step,
    count: 0,
  }))
  for (const price of prices) {
    const bar = bars[Math.min(HISTOGRAM_BARS - 1, Math.floor((price - min) / step))]
    if (bar !== undefined) bar.count += 1
  }
  return { min, max, bars }
}
