import { penaltyAt } from '../domain/booking/cancel-policy.ts'
import { AppError } from '../domain/errors.ts'
import { fairnessKey } from '../domain/guest-access.ts'
import { type Conditions, meetsConditions, type RoomOffer } from '../domain/offer.ts'
import { joinNotices, withLanguage } from '../domain/property/notices.ts'
import type { RoomType } from '../domain/property/room-type.ts'
import type { SavedResult, SavedSearch, VendorOutcome } from '../domain/saved-search.ts'
import type { Simulation } from '../domain/simulation.ts'
import type { Market } from '../domain/stay.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import { isUuid } from '../lib/crypto/ids.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import { deriveSessionId } from '../lib/crypto/session-id.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { createSeller, type Seller } from '../selling/seller.ts'
import { rateLanguage } from '../vendors/capabilities.ts'
import { askRooms, type VendorRooms } from './ask-vendors.ts'
import { createRoomChoice, type OfferContext, type RoomChoice } from './room-choice.ts'
import { unpackOne } from './saved-results.ts'
import type { SearchDeps } from './search-stays.ts'
import { pricedSearch } from './search-terms.ts'
import type { NoticeTexts } from './store/notice-texts.ts'
import type { PropertyContent, Samples, World, Worlds } from './world.ts'

export type PropertyDetail = {
  readonly search: SavedSearch
  readonly propertyId: string
  readonly content: PropertyContent['merged']
  readonly languages: PropertyContent['languages']
  /** Time zone of the property; the location of the search may lie across a border. */
  readonly timezone: string
  /** Cheapest first. */
  readonly rooms: readonly RoomChoice[]
  readonly roomTypes: readonly OfferedRoomType[]
  /** Result of the search; its prices are shown if no room is left. */
  readonly kept: SavedResult
  readonly vendors: readonly VendorOutcome[]
}

/** Offers as indexes of the list of rooms. */
export type OfferedRoomType = { readonly type: RoomType; readonly rooms: readonly number[] }

type DetailOrder = {
  readonly accountId: string
  readonly searchId: string
  readonly propertyId: string
  /** Language of the texts; defaults to that of the search. */
  readonly language?: string | undefined
}

type DetailDeps = Pick<SearchDeps, 'searches' | 'rates' | 'pricing' | 'zoneAt' | 'clock' | 'ids' | 'onBug'> & {
  readonly worlds: Worlds
  readonly keyring: Keyring
  readonly notices: NoticeTexts
  readonly detailTimeoutMs: number
}

export type FetchDetail = (
  order: DetailOrder,
  simulation: Simulation | undefined,
  context: CallContext,
) => Promise<PropertyDetail>

/** property as found by the search → current rooms of its vendors → each offer sealed. */
export function createFetchDetail(deps: DetailDeps): FetchDetail {
  return async function fetchDetail(order, simulation, context) {
    const world = deps.worlds.select(simulation)
    const { search, kept } =
      world.samples === undefined
        ? await keptProperty(deps, order, world.simulated)
        : await sampleProperty(deps, world.samples, order)
    return fetchInWorld(deps, deps.worlds.select(simulation, search), inLanguage(search, order.language), kept, context)
  }
}

function inLanguage(search: SavedSearch, language: string | undefined): SavedSearch {
  if (language === undefined) return search
  return { ...search, terms: { ...search.terms, market: { ...search.terms.market, language } } }
}

async function fetchInWorld(
  deps: DetailDeps,
  world: World,
  search: SavedSearch,
  kept: SavedResult,
  context: CallContext,
): Promise<PropertyDetail> {
  const { propertyId } = kept
  const { stay, market, location, vendorIds, customerIp } = search.terms
  using deadline = startDeadline(deps.detailTimeoutMs, context.signal)
  const vendorContext = {
    ...context,
    signal: deadline.signal,
    accountId: fairnessKey(search.accountId, context.customerIp),
    sessionId: deriveSessionId(search.searchId),
    ...(customerIp === undefined ? {} : { customerIp }),
  }
  const [english, refs] = await Promise.all([
    world.properties.content(propertyId, vendorContext),
    world.properties.listVendors(propertyId),
  ])
  if (english === undefined) throw propertyNotFound()

  const { location: point, address } = english.merged
  const timezone = deps.zoneAt(point, address.countryCode) ?? location.timezone
  const [{ rooms, vendors }, content] = await Promise.all([
    askRooms(
      deps,
      world,
      refs.filter(({ vendorId }) => vendorIds.includes(vendorId)),
      { stay, market, timezone },
      vendorContext,
    ),
    english.inLanguage(market.language, vendorContext),
  ])
  refuseIfAllFailed(vendors)
  const withNotices = await Promise.all(rooms.map((vendorRooms) => addRemarks(world, content, search, vendorRooms)))
  const types = await readRoomTypes(content, withNotices)
  // By the rules and on the day of the search, so that a room costs the same as in the list.
  const pricing = await deps.pricing(search.rulesVersion ?? 0)
  const seller = createSeller(pricing, pricedSearch(search.terms, search.accountId, search.createdAt))
  const choices = withNotices
    .flatMap((vendorRooms) =>
      roomChoices(deps, world, search, { propertyId, content, timezone, seller, types }, vendorRooms),
    )
    .sort((a, b) => a.price.total.minor - b.price.total.minor)
  await deps.notices.keep(choices.flatMap(({ offer }) => offer.notices ?? []))
  return {
    search,
    propertyId,
    content: content.merged,
    languages: content.languages,
    timezone,
    rooms: choices,
    roomTypes: groupByType(types, choices),
    kept,
    vendors,
  }
}

/** Adds all notices that must be shown: of the rate, of the remarks it refers to, and of the property. */
async function addRemarks(
  { properties, vendors }: World,
  content: PropertyContent,
  { terms: { stay, market } }: SavedSearch,
  vendorRooms: VendorRooms,
): Promise<VendorRooms> {
  const refs = [...new Set(vendorRooms.rooms.flatMap(({ remarkRefs = [] }) => remarkRefs))]
  const remarks = await properties.remarks(vendorRooms.vendorId, refs, stay.checkIn)
  const propertyNotices = content.listNotices(vendorRooms.vendorId)
  const language = findRateLanguage(vendors, vendorRooms.vendorId, market)
  const rooms = vendorRooms.rooms.map((offer) => {
    const fromRemarks = (offer.remarkRefs ?? []).flatMap((ref) => remarks.get(ref) ?? [])
    const notices = joinNotices(withLanguage(language, offer.notices ?? []), fromRemarks, propertyNotices)
    return notices.length === 0 ? offer : { ...offer, notices }
  })
  return { ...vendorRooms, rooms }
}

const findRateLanguage = (vendors: World['vendors'], vendorId: string, market: Market) =>
  rateLanguage(
    vendors.find(({ id }) => id === vendorId),
    market,
  )

type RoomTypes = ReadonlyMap<RoomOffer, RoomType>

async function readRoomTypes(content: PropertyContent, all: readonly VendorRooms[]): Promise<RoomTypes> {
  const offers = all.flatMap(({ rooms, vendorId }) => rooms.map((offer) => ({ offer, vendorId })))
  const types = await content.roomTypes(offers.map(({ offer, vendorId }) => ({ ...offer, vendorId })))
  return new Map(
    offers.flatMap(({ offer }, index) => (types[index] === undefined ? [] : [[offer, types[index]] as const])),
  )
}

/** The type with the cheapest offer first. */
function groupByType(types: RoomTypes, choices: readonly RoomChoice[]): OfferedRoomType[] {
  const groups = Map.groupBy(choices.keys(), (index) => choices[index] && types.get(choices[index].offer))
  return [...groups].flatMap(([type, rooms]) => (type === undefined ? [] : [{ type, rooms }]))
}

function refuseIfAllFailed(vendors: readonly VendorOutcome[]): void {
  const asked = vendors.filter(({ status }) => status !== 'skipped')
  if (asked.length === 0 || asked.some(({ status }) => status === 'ok')) return
  const options = { failedVendors: vendors }
  throw asked.every(({ status }) => status === 'timeout')
    ? new AppError('vendor_timeout', 'No vendor of this property answered in time. Fetch it again.', options)
    : new AppError(
        'vendors_failed',
        'All vendors of this property failed. Fetch it again later, or choose another property.',
        options,
      )
}

function roomChoices(
  deps: DetailDeps,
  world: World,
  search: SavedSearch,
  property: {
    readonly propertyId: string
    readonly content: PropertyContent
    readonly timezone: string
    readonly seller: Seller
    readonly types: RoomTypes
  },
  vendorRooms: VendorRooms,
): RoomChoice[] {
  const { propertyId, content, timezone, seller, types } = property
  const offerSeller = seller.forOffer({ vendorId: vendorRooms.vendorId, propertyId, stars: content.merged.starRating })
  const { stay, market, customerIp, conditions } = search.terms
  const offerTtlMs = world.vendors.find(({ id }) => id === vendorRooms.vendorId)?.capabilities.offerTtlMs ?? 0
  const offerContext: OfferContext = {
    accountId: search.accountId,
    searchId: search.searchId,
    propertyId,
    vendorId: vendorRooms.vendorId,
    vendorPropertyId: vendorRooms.vendorPropertyId,
    stay,
    market,
    timezone,
    simulated: search.simulated,
    ...(customerIp === undefined ? {} : { customerIp }),
  }
  return vendorRooms.rooms.flatMap((offer) => {
    const parts = {
      keyring: deps.keyring,
      rates: deps.rates(),
      offerId: deps.ids.prefixed('off'),
      offerTtlMs,
      now: deps.clock.now(),
      language: findRateLanguage(world.vendors, vendorRooms.vendorId, market),
      roomTypeName: types.get(offer)?.name ?? offer.name,
    }
    const sale = offerSeller.makeSale(offer)
    if (sale === 'unpriced') return []
    const choice = createRoomChoice(parts, offerContext, offer, sale, (roomId) =>
      content.findRoom(vendorRooms.vendorId, roomId),
    )
    return choice === undefined ? [] : [{ ...choice, meetsConditions: isMatch(choice, conditions, parts.now) }]
  })
}

function isMatch({ offer, cancel, price }: RoomChoice, conditions: Conditions | undefined, now: number): boolean {
  const isFree = cancel !== undefined && penaltyAt(cancel, price.total, now).minor === 0
  return meetsConditions({ board: offer.board, ...(isFree && { freeCancellation: {} }) }, conditions)
}

type Stored = Pick<SearchDeps, 'searches' | 'clock'>

/** A search of the account that has not expired, with its packed results. */
export async function liveSearch(
  { searches, clock }: Stored,
  accountId: string,
  searchId: string,
  onlySimulated = false,
) {
  const found = isUuid(searchId) ? await searches.withResults(accountId, searchId) : undefined
  if (found === undefined || (onlySimulated && !found.search.simulated))
    throw new AppError('search_not_found', 'Search not found. Use the search_id of one of your searches.')
  // The process that drops expired results may have a clock ahead of ours.
  if (found.search.expiresAt <= clock.now() || found.results.length === 0)
    throw new AppError('search_expired', 'This search has expired. Search again.')
  return found
}

/** Undefined if the search does not exist or has expired. */
export async function findLiveSearch(deps: Stored, accountId: string, searchId: string) {
  try {
    return await liveSearch(deps, accountId, searchId)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function keptProperty(deps: Stored, { accountId, searchId, propertyId }: DetailOrder, onlySimulated: boolean) {
  const { search, results } = await liveSearch(deps, accountId, searchId, onlySimulated)
  const kept = await unpackOne(results, propertyId)
  if (kept === undefined) throw propertyNotFound()
  return { search, kept }
}

/** With the simulation header any id works. Real searches are not used, because their properties are real. */
async function sampleProperty(deps: Stored, samples: Samples, { accountId, searchId, propertyId }: DetailOrder) {
  const own = await findLiveSearch(deps, accountId, searchId)
  const live = own?.search.simulated === true ? own : undefined
  const search = live?.search ?? samples.search(accountId, searchId)
  const kept = live && (await unpackOne(live.results, propertyId))
  return { search, kept: kept ?? { propertyId, distanceKm: 0, score: 0, offers: [] } }
}

const propertyNotFound = () =>
  new AppError('property_not_found', 'This property is not among the results of the search.')
