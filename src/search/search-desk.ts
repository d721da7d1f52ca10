import { AppError } from '../domain/app-error.ts'
import type { SavedSearch } from '../domain/saved-search.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Clock } from '../lib/clock.ts'
import { isUuid } from '../lib/ids.ts'
import type { ListPlan } from '../lists/plan.ts'
import { type AvailabilityPage, availabilityPage, savedProperties } from './list-availability.ts'
import { type DetailDeps, type DetailOrder, detailOf, keptProperty, type PropertyDetail } from './property-detail.ts'
import { unpackOne } from './saved-results.ts'
import { createSearchStays, type SearchDeps, type SearchOrder, type SearchStays } from './search-stays.ts'
import { type Places, type SearchAsked, termsOf } from './search-terms.ts'

/** One world to search in: the real vendors, or the simulator under one of its scripts. Answers are shared inside it only. */
export type Realm = Pick<SearchDeps, 'vendors' | 'source' | 'simulated' | 'answers'> & Pick<DetailDeps, 'roomAnswers'>

export type SearchDesk = ReturnType<typeof createSearchDesk>

type Deps = Omit<SearchDeps & DetailDeps, keyof Realm | 'onBug'> & {
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
  const details = new Map<string, { bytes: Buffer; until: number }>()
  const realmOfSearch = (search: SavedSearch) => (search.simulated ? deps.simulated('success') : real)
  const listing = { ...deps, sourceOf: (search: SavedSearch) => realmOfSearch(search).source }

  async function fetchDetail(
    order: DetailOrder,
    simulation: string | undefined,
    context: CallContext,
  ): Promise<PropertyDetail> {
    if (simulation !== undefined) return simulateDetail(order, simulation, context)
    const { search, kept } = await keptProperty(deps, order)
    return detailOf({ ...deps, ...realmOfSearch(search) }, search, kept, context)
  }

  /**
   * With the header anything well-formed is answered: out of a simulated search, or as if there had been one. A real
   * search is no help there: its property is the real vendors', and nothing may leave the process.
   */
  async function simulateDetail(order: DetailOrder, simulation: string, context: CallContext) {
    const { accountId, searchId, propertyId } = order
    const own = isUuid(searchId) ? await deps.searches.withResults(accountId, searchId) : undefined
    const live = own?.search.simulated === true && own.search.expiresAt > clock.now() ? own : undefined
    const search = live?.search ?? deps.inventSearch(accountId, searchId)
    const kept = live && (await unpackOne(live.results, propertyId, search.terms.market.currency))
    const realm = deps.simulated(simulation)
    return detailOf({ ...deps, ...realm }, search, kept ?? { propertyId, distanceKm: 0, score: 0, offers: [] }, context)
  }

  /** The results of a search that was never made, saved nowhere. */
  async function inventResults(accountId: string, searchId: string, simulation: string, context: CallContext) {
    const search = deps.inventSearch(accountId, searchId)
    const unsaved = { ...deps.searches, save: async () => undefined }
    const searchStays = createSearchStays({ ...deps, ...deps.simulated(simulation), searches: unsaved })
    const order = { accountId, terms: search.terms, timeoutMs: deps.timeoutMs }
    const { properties } = await searchStays(order, context)
    return { search: { ...search, found: properties.length }, ranked: properties }
  }

  return {
    vendorIds: real.vendors.map(({ id }) => id),

    orderOf(accountId: string, asked: SearchAsked, simulation: string | undefined, ip: string): SearchOrder {
      const ids = real.vendors.map(({ id }) => id)
      const places = simulation === undefined ? deps.places : everywhere(deps, accountId)
      return { accountId, terms: termsOf(places, clock, asked, ids, ip), timeoutMs: asked.timeoutMs }
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

    async listAvailability(
      order: { accountId: string; searchId: string },
      plan: ListPlan,
      simulation: string | undefined,
      context: CallContext,
    ): Promise<AvailabilityPage> {
      const { accountId, searchId } = order
      try {
        return availabilityPage(await savedProperties(listing, accountId, searchId), plan)
      } catch (error) {
        const isGone =
          error instanceof AppError && (error.code === 'search_not_found' || error.code === 'search_expired')
        if (simulation === undefined || !isGone) throw error
        return availabilityPage(await inventResults(accountId, searchId, simulation, context), plan)
      }
    },

    fetchDetail,

    /** The presented detail; asked again soon by the same account, the same bytes. */
    async detailBytes(
      order: DetailOrder,
      simulation: string | undefined,
      context: CallContext,
      present: (detail: PropertyDetail) => Buffer,
    ): Promise<Buffer> {
      const key = `${order.accountId} ${order.searchId} ${order.propertyId} ${simulation ?? ''}`
      const known = details.get(key)
      if (known !== undefined && known.until > clock.now()) return known.bytes
      const detail = await fetchDetail(order, simulation, context)
      const bytes = present(detail)
      if (details.size >= DETAILS_MAX) details.clear()
      const whole = detail.vendors.every(({ status }) => status === 'ok' || status === 'skipped')
      const until = Math.min(clock.now() + deps.detailReuseMs, detail.search.expiresAt)
      if (whole) details.set(key, { bytes, until })
      return bytes
    },

    /** An offer is booked once: whoever books one gets fresh offers at the next look. */
    forgetDetails(accountId: string): void {
      for (const key of details.keys()) if (key.startsWith(`${accountId} `)) details.delete(key)
    },
  }
}

/** For the simulator any destination will do: one that no location has is taken for the invented search's. */
function everywhere({ places, inventSearch }: Pick<Deps, 'places' | 'inventSearch'>, accountId: string): Places {
  return {
    ...places,
    byId: (id) => places.byId(id) ?? (isUuid(id) ? { ...inventSearch(accountId, id).terms.location, id } : undefined),
  }
}
