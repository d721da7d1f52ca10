import { AppError } from '../domain/errors.ts'
import type { RoomOffer } from '../domain/offer.ts'
import { joinNotices, noticesIn } from '../domain/property/notices.ts'
import type { RoomType } from '../domain/property/room-type.ts'
import type { SavedSearch, VendorOutcome } from '../domain/saved-search.ts'
import type { SimulatedOutcome } from '../domain/simulation.ts'
import type { Market } from '../domain/stay.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import { isUuid } from '../lib/crypto/ids.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import { sessionIdOf } from '../lib/crypto/session-id.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { createSeller, type Seller } from '../selling/seller.ts'
import { rateLanguage } from '../vendors/capabilities.ts'
import { askRooms, type VendorRooms } from './ask-vendors.ts'
import { chooseRoom, type OfferFrame, type RoomChoice } from './room-choice.ts'
import { type KeptProperty, unpackOne } from './saved-results.ts'
import type { SearchDeps } from './search-stays.ts'
import { pricedSearch } from './search-terms.ts'
import type { NoticeTexts } from './store/notice-texts.ts'
import type { PropertyContent, Samples, World, Worlds } from './world.ts'

export type PropertyDetail = {
  readonly search: SavedSearch
  readonly propertyId: string
  readonly content: PropertyContent['merged']
  readonly languages: PropertyContent['languages']
  /** Of the property; the search's own location may lie across a border. */
  readonly timezone: string
  /** Cheapest first. */
  readonly rooms: readonly RoomChoice[]
  readonly roomTypes: readonly OfferedRoomType[]
  /** What the search had found; its prices are shown when there is no room left. */
  readonly kept: KeptProperty
  readonly vendors: readonly VendorOutcome[]
}

/** A room type and its offers, as places in the list of rooms. */
export type OfferedRoomType = { readonly type: RoomType; readonly rooms: readonly number[] }

type DetailOrder = {
  readonly accountId: string
  readonly searchId: string
  readonly propertyId: string
  /** Of the texts, where it is not that of the search. */
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
  simulation: SimulatedOutcome | undefined,
  context: CallContext,
) => Promise<PropertyDetail>

/** The property as the search found it → fresh rooms of its vendors → each offer sealed. */
export function createFetchDetail(deps: DetailDeps): FetchDetail {
  return async function fetchDetail(order, simulation, context) {
    const asked = deps.worlds.of(simulation)
    const { search, kept } = asked.simulated
      ? await sampleProperty(deps, asked.samples, order)
      : await keptProperty(deps, order)
    return detailIn(deps, deps.worlds.of(simulation, search), inLanguage(search, order.language), kept, context)
  }
}

function inLanguage(search: SavedSearch, language: string | undefined): SavedSearch {
  if (language === undefined) return search
  return { ...search, terms: { ...search.terms, market: { ...search.terms.market, language } } }
}

async function detailIn(
  deps: DetailDeps,
  world: World,
  search: SavedSearch,
  kept: KeptProperty,
  context: CallContext,
): Promise<PropertyDetail> {
  const { propertyId } = kept
  const { stay, market, location, vendorIds, customerIp } = search.terms
  using deadline = startDeadline(deps.detailTimeoutMs, context.signal)
  const within = {
    ...context,
    signal: deadline.signal,
    accountId: search.accountId,
    sessionId: sessionIdOf(search.searchId),
    ...(customerIp === undefined ? {} : { customerIp }),
  }
  const [english, soldAs] = await Promise.all([
    world.properties.content(propertyId, within),
    world.properties.vendorsOf(propertyId),
  ])
  if (english === undefined) throw noSuchProperty()

  const { location: point, address } = english.merged
  const timezone = deps.zoneAt(point, address.countryCode) ?? location.timezone
  const [{ rooms, vendors }, content] = await Promise.all([
    askRooms(
      deps,
      world,
      soldAs.filter(({ vendorId }) => vendorIds.includes(vendorId)),
      { stay, market, timezone },
      within,
    ),
    english.inLanguage(market.language, within),
  ])
  refuseIfAllFailed(vendors)
  const named = await Promise.all(rooms.map((of) => withRemarks(world, content, search, of)))
  const typeOf = await typesOf(content, named)
  const seller = await sellerOf(deps, search)
  const choices = named
    .flatMap((of) => choicesOf(deps, world, search, { propertyId, content, timezone, seller, typeOf }, of))
    .sort((a, b) => a.price.total.minor - b.price.total.minor)
  await deps.notices.keep(choices.flatMap(({ offer }) => offer.notices ?? []))
  return {
    search,
    propertyId,
    content: content.merged,
    languages: content.languages,
    timezone,
    rooms: choices,
    roomTypes: roomTypesOf(typeOf, choices),
    kept,
    vendors,
  }
}

/** The rooms with everything that must be shown of them: what the rate says, what it refers to, what the property says. */
async function withRemarks(
  { properties, vendors }: World,
  content: PropertyContent,
  { terms: { stay, market } }: SavedSearch,
  of: VendorRooms,
): Promise<VendorRooms> {
  const refs = [...new Set(of.rooms.flatMap(({ remarkRefs = [] }) => remarkRefs))]
  const remarks = await properties.remarks(of.vendorId, refs, stay.checkIn)
  const everyRoom = content.noticesOf(of.vendorId)
  const language = languageOfRates(vendors, of.vendorId, market)
  const rooms = of.rooms.map((offer) => {
    const referred = (offer.remarkRefs ?? []).flatMap((ref) => remarks.get(ref) ?? [])
    const notices = joinNotices(noticesIn(language, offer.notices ?? []), referred, everyRoom)
    return notices.length === 0 ? offer : { ...offer, notices }
  })
  return { ...of, rooms }
}

const languageOfRates = (vendors: World['vendors'], vendorId: string, market: Market) =>
  rateLanguage(
    vendors.find(({ id }) => id === vendorId),
    market,
  )

type TypeOf = ReadonlyMap<RoomOffer, RoomType>

async function typesOf(content: PropertyContent, rooms: readonly VendorRooms[]): Promise<TypeOf> {
  const offers = rooms.flatMap((of) => of.rooms.map((offer) => ({ offer, vendorId: of.vendorId })))
  const types = await content.roomTypes(offers.map(({ offer, vendorId }) => ({ ...offer, vendorId })))
  return new Map(offers.flatMap(({ offer }, at) => (types[at] === undefined ? [] : [[offer, types[at]] as const])))
}

/** The one with the cheapest offer first. */
function roomTypesOf(typeOf: TypeOf, choices: readonly RoomChoice[]): OfferedRoomType[] {
  const places = Map.groupBy(choices.keys(), (at) => choices[at] && typeOf.get(choices[at].offer))
  return [...places].flatMap(([type, rooms]) => (type === undefined ? [] : [{ type, rooms }]))
}

function refuseIfAllFailed(vendors: readonly VendorOutcome[]): void {
  const asked = vendors.filter(({ status }) => status !== 'skipped')
  if (asked.length === 0 || asked.some(({ status }) => status === 'ok')) return
  throw asked.every(({ status }) => status === 'timeout')
    ? new AppError('vendor_timeout', 'No vendor of this property answered in time.')
    : new AppError('vendors_failed', 'No vendor of this property could answer.')
}

/** By the rules and on the day of the search, so that a room costs what the list said. */
async function sellerOf(deps: DetailDeps, { accountId, createdAt: at, terms, rulesVersion = 0 }: SavedSearch) {
  return createSeller(await deps.pricing(rulesVersion), pricedSearch(terms, accountId, at))
}

function choicesOf(
  deps: DetailDeps,
  world: World,
  search: SavedSearch,
  at: {
    readonly propertyId: string
    readonly content: PropertyContent
    readonly timezone: string
    readonly seller: Seller
    readonly typeOf: TypeOf
  },
  of: VendorRooms,
): RoomChoice[] {
  const { propertyId, content, timezone, seller, typeOf } = at
  const sold = seller.of({ vendorId: of.vendorId, propertyId, stars: content.merged.starRating })
  const { stay, market, customerIp } = search.terms
  const offerTtlMs = world.vendors.find(({ id }) => id === of.vendorId)?.capabilities.offerTtlMs ?? 0
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
    ...(customerIp === undefined ? {} : { customerIp }),
  }
  return of.rooms.flatMap((offer) => {
    const parts = {
      keyring: deps.keyring,
      rates: deps.rates(),
      offerId: deps.ids.prefixed('off'),
      offerTtlMs,
      now: deps.clock.now(),
      language: languageOfRates(world.vendors, of.vendorId, market),
      roomTypeName: typeOf.get(offer)?.name ?? offer.name,
    }
    const sale = sold.sale(offer)
    if (sale === 'unpriced') return []
    const choice = chooseRoom(parts, frame, offer, sale, (roomId) => content.roomOf(of.vendorId, roomId))
    return choice === undefined ? [] : [choice]
  })
}

type Stored = Pick<SearchDeps, 'searches' | 'clock'>

/** A search of the account that has not expired, with its packed results. */
export async function liveSearch({ searches, clock }: Stored, accountId: string, searchId: string) {
  const found = isUuid(searchId) ? await searches.withResults(accountId, searchId) : undefined
  if (found === undefined)
    throw new AppError('search_not_found', 'There is no such search; use the search_id of one of yours.')
  // The clock of the process that drops the results of expired searches may be ahead of ours.
  if (found.search.expiresAt <= clock.now() || found.results.length === 0)
    throw new AppError('search_expired', 'This search has expired; search again.')
  return found
}

/** Undefined where there is none to show; the simulator shows a sample then. */
export async function liveSearchIfAny(deps: Stored, accountId: string, searchId: string) {
  try {
    return await liveSearch(deps, accountId, searchId)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function keptProperty(deps: Stored, { accountId, searchId, propertyId }: DetailOrder) {
  const { search, results } = await liveSearch(deps, accountId, searchId)
  const kept = await unpackOne(results, propertyId, search.terms.market.currency)
  if (kept === undefined) throw noSuchProperty()
  return { search, kept }
}

/**
 * Under the simulation header any id is answered: from a simulated search, or as if there had been one. A real search is
 * not used, because its properties are real vendors' and nothing may leave the process.
 */
async function sampleProperty(deps: Stored, samples: Samples, { accountId, searchId, propertyId }: DetailOrder) {
  const own = await liveSearchIfAny(deps, accountId, searchId)
  const live = own?.search.simulated === true ? own : undefined
  const search = live?.search ?? samples.search(accountId, searchId)
  const kept = live && (await unpackOne(live.results, propertyId, search.terms.market.currency))
  return { search, kept: kept ?? { propertyId, distanceKm: 0, score: 0, offers: [] } }
}

const noSuchProperty = () => new AppError('property_not_found', 'This property is not among the results of the search.')
