import { AppError } from '../domain/app-error.ts'
import type { SavedSearch } from '../domain/saved-search.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Clock } from '../lib/clock.ts'
import { isUuid } from '../lib/ids.ts'
import { createListAvailability } from './list-availability.ts'
import { createFetchDetail, type DetailDeps, detailOf, type PropertyDetail } from './property-detail.ts'
import { createSearchStays, type SearchDeps, type SearchOrder, type SearchStays } from './search-stays.ts'
import { type Places, type SearchAsked, termsOf } from './search-terms.ts'

/** One world to search in: the real vendors, or the simulator under one of its scripts. */
export type Realm = Pick<SearchDeps, 'vendors' | 'source' | 'simulated'>

export type SearchDesk = ReturnType<typeof createSearchDesk>

type Deps = Omit<SearchDeps & DetailDeps, 'vendors' | 'source' | 'simulated' | 'onBug'> & {
  readonly places: Places
  readonly clock: Clock
  readonly real: Realm
  /** The simulator, scripted by the value of `x-simulate-return`. */
  simulated(simulation: string): Realm
  /** A made-up search, so that the simulator can show any property without one. */
  inventSearch(accountId: string, searchId: string): SavedSearch
  /** How long a finished detail is good for another look. */
  readonly detailReuseMs: number
  onBug(error: unknown, where: string): void
}

const DETAILS_MAX = 500

/** Where requests come in: chooses the realm by the simulation header and by what a search was made in. */
export function createSearchDesk(deps: Deps) {
  const { clock, real } = deps
  const realmOf = (simulation: string | undefined) => (simulation === undefined ? real : deps.simulated(simulation))
  const searches = new Map<string, SearchStays>()
  const details = new Map<string, { text: string; until: number }>()
  const realmOfSearch = (search: SavedSearch, simulation: string | undefined) =>
    search.simulated ? deps.simulated(simulation ?? 'success') : realmOf(simulation)

  async function fetchDetail(
    order: { accountId: string; searchId: string; propertyId: string },
    simulation: string | undefined,
    context: CallContext,
  ): Promise<PropertyDetail> {
    const head = isUuid(order.searchId) ? await deps.searches.head(order.accountId, order.searchId) : undefined
    if (head === undefined && simulation !== undefined) return inventDetail(order, simulation, context)
    if (head === undefined)
      throw new AppError('search_not_found', 'There is no such search; use the search_id of one of yours.')
    // With the header a real search is shown by the simulator too: nothing may leave the process.
    if (!head.simulated && simulation !== undefined) return inventDetail(order, simulation, context)
    return createFetchDetail({ ...deps, ...realmOfSearch(head, simulation) })(order, context)
  }

  async function inventDetail(
    order: { accountId: string; searchId: string; propertyId: string },
    simulation: string,
    context: CallContext,
  ) {
    const search = deps.inventSearch(order.accountId, order.searchId)
    const kept = { propertyId: order.propertyId, distanceKm: 0, score: 0, offers: [] }
    return detailOf({ ...deps, ...deps.simulated(simulation) }, search, kept, context)
  }

  return {
    vendorIds: real.vendors.map(({ id }) => id),

    orderOf(accountId: string, asked: SearchAsked, ip: string): SearchOrder {
      const ids = real.vendors.map(({ id }) => id)
      return { accountId, terms: termsOf(deps.places, clock, asked, ids, ip), timeoutMs: asked.timeoutMs }
    },

    searchFor(simulation: string | undefined): SearchStays {
      const key = simulation ?? ''
      let search = searches.get(key)
      if (search === undefined) {
        const realm = realmOf(simulation)
        const inRealm = createSearchStays({ ...deps, ...realm })
        // The simulator's vendors stand in for all of ours, whichever were asked for.
        const ids = realm.vendors.map(({ id }) => id)
        search = realm.simulated
          ? (order, ...rest) => inRealm({ ...order, terms: { ...order.terms, vendorIds: ids } }, ...rest)
          : inRealm
        searches.set(key, search)
      }
      return search
    },

    listAvailability: createListAvailability({
      ...deps,
      sourceOf: (search) => realmOfSearch(search, undefined).source,
    }),

    fetchDetail,

    /** The presented detail; asked again soon by the same account, the same bytes. */
    async detailJson(
      order: { accountId: string; searchId: string; propertyId: string },
      simulation: string | undefined,
      context: CallContext,
      present: (detail: PropertyDetail) => string,
    ): Promise<string> {
      const key = `${order.accountId} ${order.searchId} ${order.propertyId} ${simulation ?? ''}`
      const known = details.get(key)
      if (known !== undefined && known.until > clock.now()) return known.text
      const detail = await fetchDetail(order, simulation, context)
      const text = present(detail)
      if (details.size >= DETAILS_MAX) details.clear()
      const whole = detail.vendors.every(({ status }) => status === 'ok' || status === 'skipped')
      const until = Math.min(clock.now() + deps.detailReuseMs, detail.search.expiresAt)
      if (whole) details.set(key, { text, until })
      return text
    },
  }
}
