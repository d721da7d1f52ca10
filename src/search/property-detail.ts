import { AppError } from '../domain/app-error.ts'
import type { ExchangeRates } from '../domain/exchange.ts'
import type { RoomOffer } from '../domain/offer.ts'
import type { SavedSearch, VendorOutcome } from '../domain/saved-search.ts'
import type { CallContext } from '../lib/call-context.ts'
import type { Clock } from '../lib/clock.ts'
import { startDeadline } from '../lib/deadline.ts'
import { type Ids, isUuid } from '../lib/ids.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { SearchStore } from '../store/searches.ts'
import type { Vendor } from '../vendors/contract.ts'
import { askRooms, type VendorRooms } from './ask-rooms.ts'
import type { PropertyContent, PropertySource, ZoneAt } from './property-source.ts'
import { chooseRoom, type OfferFrame, type RoomChoice } from './room-choice.ts'
import { type KeptProperty, unpackOne } from './saved-results.ts'
import { outcomeOf } from './search-stays.ts'
import type { SharedAnswers } from './shared-answers.ts'

export type PropertyDetail = {
  readonly search: SavedSearch
  readonly propertyId: string
  readonly content: PropertyContent['merged']
  /** Where the property stands; the search's own place may lie across a border. */
  readonly timezone: string
  /** Cheapest first. */
  readonly rooms: readonly RoomChoice[]
  /** What the search had found; its prices stand in when there is no room left. */
  readonly kept: KeptProperty
  readonly vendors: readonly VendorOutcome[]
}

export type DetailOrder = { readonly accountId: string; readonly searchId: string; readonly propertyId: string }

export type DetailDeps = {
  readonly vendors: readonly Vendor[]
  readonly source: PropertySource
  readonly searches: SearchStore
  readonly roomAnswers: SharedAnswers<readonly RoomOffer[]>
  readonly rates: () => ExchangeRates
  readonly zoneAt: ZoneAt
  readonly keyring: Keyring
  readonly clock: Clock
  readonly ids: Ids
  readonly timeoutMs: number
  onBug(error: unknown, vendorId: string): void
}

/** The property as the search found it → fresh rooms of its vendors → each offer sealed. */
export async function detailOf(
  deps: DetailDeps,
  search: SavedSearch,
  kept: KeptProperty,
  context: CallContext,
): Promise<PropertyDetail> {
  const { propertyId } = kept
  const [content, vendors] = await Promise.all([deps.source.content(propertyId), deps.source.vendorsOf(propertyId)])
  if (content === undefined) throw noSuchProperty()

  using deadline = startDeadline(deps.timeoutMs, context.signal)
  const { stay, market, location, vendorIds, customerIp } = search.terms
  const { location: point, address } = content.merged
  const timezone = deps.zoneAt(point, address.countryCode) ?? location.timezone
  const asked = vendors.filter(({ vendorId }) => vendorIds.includes(vendorId))
  const { rooms, reports } = await askRooms(
    deps,
    { vendors: asked, stay, market, timezone },
    { ...context, signal: deadline.signal, ...(customerIp === undefined ? {} : { customerIp }) },
  )
  if (
    reports.length > 0 &&
    reports.every(({ status }) => status === 'timeout' || status === 'error' || status === 'internal')
  ) {
    throw reports.every(({ status }) => status === 'timeout')
      ? new AppError('vendor_timeout', 'No vendor of this property answered in time.')
      : new AppError('vendors_failed', 'No vendor of this property could answer.')
  }
  const choices = rooms.flatMap((of) => choicesOf(deps, search, { propertyId, content, timezone }, of))
  return {
    search,
    propertyId,
    content: content.merged,
    timezone,
    rooms: choices.sort((a, b) => a.price.total.minor - b.price.total.minor),
    kept,
    vendors: reports.map(outcomeOf),
  }
}

function choicesOf(
  deps: DetailDeps,
  search: SavedSearch,
  at: { readonly propertyId: string; readonly content: PropertyContent; readonly timezone: string },
  of: VendorRooms,
): RoomChoice[] {
  const { propertyId, content, timezone } = at
  const { stay, market } = search.terms
  const offerTtlMs = deps.vendors.find(({ id }) => id === of.vendorId)?.capabilities.offerTtlMs ?? 0
  const frame: OfferFrame = {
    accountId: search.accountId,
    searchId: search.searchId,
    propertyId,
    vendorId: of.vendorId,
    vendorPropertyId: of.vendorPropertyId,
    stay,
    market,
    timezone,
    simulated: search.simulated,
  }
  return of.rooms.flatMap((offer) => {
    const parts = {
      keyring: deps.keyring,
      rates: deps.rates(),
      offerId: deps.ids.prefixed('off'),
      offerTtlMs,
      now: deps.clock.now(),
    }
    const choice = chooseRoom(parts, frame, offer, (roomId) => content.roomOf(of.vendorId, roomId))
    return choice === undefined ? [] : [choice]
  })
}

export async function liveSearch(searches: SearchStore, clock: Clock, accountId: string, searchId: string) {
  const found = isUuid(searchId) ? await searches.withResults(accountId, searchId) : undefined
  if (found === undefined)
    throw new AppError('search_not_found', 'There is no such search; use the search_id of one of yours.')
  if (found.search.expiresAt <= clock.now())
    throw new AppError('search_expired', 'This search has expired; search again.')
  return found
}

export async function keptProperty(
  { searches, clock }: Pick<DetailDeps, 'searches' | 'clock'>,
  { accountId, searchId, propertyId }: DetailOrder,
) {
  const { search, results } = await liveSearch(searches, clock, accountId, searchId)
  const kept = await unpackOne(results, propertyId, search.terms.market.currency)
  if (kept === undefined) throw noSuchProperty()
  return { search, kept }
}

const noSuchProperty = () => new AppError('property_not_found', 'This property is not among the results of the search.')
