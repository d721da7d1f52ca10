import type { Static } from 'typebox'
import type { LocationList } from '../locations/schemas.ts'
import type { AvailabilityPageResponse, SearchResponse } from '../search/schemas/availability.ts'
import type { PropertyCardSchema } from '../search/schemas/property-card.ts'
import type { AccommodationDetail } from '../search/schemas/property-detail.ts'
import { requestApi, ToolError } from './api.ts'
import { cleanName, quoteTexts } from './clean-text.ts'
import { PlacesInput, PlacesOutput, RoomsInput, RoomsOutput, type SORTS, StaysInput, StaysOutput } from './schemas.ts'
import { READS, type Tool, type ToolCall } from './tool.ts'

const LIMIT = 10
const PLACE_NAME_MAX = 120
/** Enough of the hotel's texts to choose by. */
const QUOTED = { each: 600, all: 3_000 }

export const searchPlaces: Tool = {
  name: 'search_places',
  title: 'Find a place',
  description:
    'Finds a city, airport, region, landmark or hotel by the beginning of its name. Its id is the place_id of search_stays.',
  scopes: ['search'],
  input: PlacesInput,
  output: PlacesOutput,
  effect: READS,
  async run({ query, limit = LIMIT }: Static<typeof PlacesInput>, { agent }) {
    const url = `/api/locations/search?${new URLSearchParams({ starts_with: query, limit: String(limit) })}`
    const { data, meta } = await requestApi<Static<typeof LocationList>>(agent, { method: 'GET', url })
    const [wrong] = meta.errors
    if (wrong !== undefined) throw new ToolError(wrong.code, wrong.message)
    const places = data.map(({ id, name, type, country_code }) => {
      return { id, name: cleanName(name, PLACE_NAME_MAX), type, country_code }
    })
    return { places, untrusted_fields: ['places.name'] }
  },
}

export const searchStays: Tool = {
  name: 'search_stays',
  title: 'Search hotels with prices',
  description:
    'Searches available stays and their prices for the whole stay and all rooms, including taxes and mandatory fees. Results are valid until expires_at. Continue with next_cursor and the same arguments.',
  scopes: ['search'],
  input: StaysInput,
  output: StaysOutput,
  effect: READS,
  async run(args: Static<typeof StaysInput>, call) {
    const { searchId, offset } = args.cursor === undefined ? await newSearch(args, call) : readCursor(args.cursor)
    const { data, meta, search } = await readPage(call, searchId, args, offset)
    const { next_offset: next } = meta
    return {
      search_id: search.search_id,
      expires_at: search.expires_at,
      check_in: search.check_in,
      check_out: search.check_out,
      found: meta.total_count ?? data.length,
      partial: search.partial,
      simulated: search.simulated,
      stays: data.map((stay) => ({
        property_id: stay.property_id,
        name: cleanName(stay.name),
        star_rating: stay.star_rating,
        guest_rating: stay.guest_rating,
        review_count: stay.review_count,
        distance_km: stay.distance_km,
        total_price: stay.total_price,
        currency: stay.currency,
        board: stay.board,
        ...(stay.free_cancellation !== undefined && { free_cancellation: stay.free_cancellation }),
        free_cancellation_until: stay.free_cancellation_until,
      })),
      next_cursor: next === null ? null : `${search.search_id}.${next}`,
      untrusted_fields: ['stays.name'],
    }
  },
}

async function newSearch(args: Static<typeof StaysInput>, { agent }: ToolCall) {
  const body = {
    destination_id: args.place_id,
    check_in: args.check_in,
    check_out: args.check_out,
    occupancies: args.rooms,
    ...(args.free_cancellation === true && { conditions: { free_cancellation: true } }),
    ...(args.currency && { currency: args.currency }),
    ...(args.country_code && { country_code: args.country_code }),
  }
  const url = '/api/accommodation_searches/search'
  const { data } = await requestApi<Static<typeof SearchResponse>>(agent, { method: 'POST', url, body }).catch(
    renameFields,
  )
  return { searchId: data.search_id, offset: 0 }
}

/** Two fields have other names in the tools than in the API. */
function renameFields(error: unknown): never {
  if (!(error instanceof ToolError)) throw error
  const renamed = (text: string) => text.replaceAll('destination_id', 'place_id').replaceAll('occupancies', 'rooms')
  throw new ToolError(error.code, renamed(error.message), JSON.parse(renamed(JSON.stringify(error.facts))))
}

function readCursor(cursor: string) {
  const [, searchId, offset] = /^([0-9a-f-]{36})\.(\d{1,6})$/.exec(cursor) ?? []
  if (searchId === undefined)
    throw new ToolError('invalid_cursor', 'cursor must be the next_cursor of an earlier answer.')
  return { searchId, offset: Number(offset) }
}

const ORDERS = {
  recommended: undefined,
  price: ['total_price', 'asc'],
  guest_rating: ['guest_rating', 'desc'],
  stars: ['star_rating', 'desc'],
  distance: ['distance_km', 'asc'],
} as const satisfies Record<(typeof SORTS)[number], readonly [string, string] | undefined>

type CardPage = { data: Static<typeof PropertyCardSchema>[]; meta: Static<typeof AvailabilityPageResponse>['meta'] }

/** Reads one page of a saved search. */
async function readPage(
  { agent }: ToolCall,
  searchId: string,
  { max_total, min_stars, sort = 'recommended', limit = LIMIT }: Partial<Static<typeof StaysInput>>,
  offset: number,
) {
  const order = ORDERS[sort]
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset), view: 'card' })
  if (max_total !== undefined) query.append('filters[]', `total_price:<=<${max_total}`)
  if (min_stars !== undefined) query.append('filters[]', `star_rating:>=<${min_stars}`)
  if (order !== undefined) {
    query.append('order_by[]', order[0])
    query.append('order_directions[]', order[1])
  }
  const url = `/api/accommodation_searches/${encodeURIComponent(searchId)}/availability?${query}`
  const { data, meta } = await requestApi<CardPage>(agent, { method: 'GET', url })
  if (meta.search === undefined) throw new Error('the page of a search lacks its search')
  return { data, meta, search: meta.search }
}

type Detail = Static<typeof AccommodationDetail>

/** Stored under an offer_id. */
export type OfferHandle = {
  readonly bookingInfo: { readonly price_check_uri: string }
  readonly property: { readonly property_id: string; readonly name: string; readonly address: string }
  readonly stay: {
    readonly check_in: string
    readonly check_out: string
    readonly nights: number
    readonly occupancies: readonly { readonly adults: number; readonly children_ages: readonly number[] }[]
  }
}

export const getRooms: Tool = {
  name: 'get_rooms',
  title: 'List the rooms of one hotel',
  description:
    'Returns the rooms of one hotel with current prices and cancellation terms. Each has an offer_id for prepare_booking. Continue with offset and the same search_id and property_id.',
  scopes: ['search'],
  input: RoomsInput,
  output: RoomsOutput,
  effect: READS,
  async run(args: Static<typeof RoomsInput>, call) {
    const { search_id: searchId, property_id: propertyId, limit = LIMIT, offset = 0 } = args
    const query = new URLSearchParams({ search_id: searchId, property_id: propertyId, raw: 'true' })
    const url = `/api/accommodation_searches/accommodation?${query}`
    const detail = await requestApi<Detail>(call.agent, { method: 'GET', url })
    const { search } = await readPage(call, searchId, { limit: 1 }, 0)
    const property = toProperty(detail)
    const rooms = detail.available_rooms.slice(offset, offset + limit)
    const stay = {
      check_in: search.check_in,
      check_out: search.check_out,
      nights: search.nights,
      occupancies: search.occupancies,
    }
    const handles = rooms.map(({ booking_info: bookingInfo, expires_at }) => ({
      content: { bookingInfo, property, stay } satisfies OfferHandle,
      expiresAt: Date.parse(expires_at),
    }))
    const ids = await call.handles.add(call.agent.accountId, 'off', handles)
    const { overview } = detail
    return {
      search_id: detail.search_id,
      property: {
        ...property,
        star_rating: overview.star_rating,
        guest_rating: overview.guest_ratings.overall,
        check_in_time: cleanName(overview.check_in_time, 20),
        check_out_time: cleanName(overview.check_out_time, 20),
        timezone: overview.timezone,
      },
      rooms: rooms.map((room, index) => ({
        offer_id: ids[index] ?? '',
        ...toRoomTerms(room),
        charged: room.converted_from && {
          total_price: room.converted_from.total,
          currency: room.converted_from.currency,
        },
        rooms_left: room.rooms_left,
        expires_at: room.expires_at,
      })),
      more_rooms: Math.max(0, detail.available_rooms.length - offset - rooms.length),
      untrusted_fields: ['property.name', 'property.address', 'rooms.name', 'rooms.beds'],
      ...(args.with_texts === true && { untrusted_text: quoteTexts(collectTexts(detail, rooms), QUOTED) }),
    }
  },
}

function toProperty({ overview, property_id }: Detail): OfferHandle['property'] {
  const { line_1, line_2, city, postal_code, country_code } = overview.address
  const address = [line_1, line_2, [postal_code, city].join(' '), country_code].filter((part) => part.trim() !== '')
  return { property_id, name: cleanName(overview.name), address: cleanName(address.join(', '), 160) }
}

type Room = Detail['available_rooms'][number]

const toRoomTerms = (room: Room) => ({
  name: cleanName(room.room_type_name),
  beds: room.beds.slice(0, 8).map((bed) => cleanName(bed, 40)),
  board: room.board,
  total_price: room.total_inclusive,
  due_at_property: room.due_at_property,
  currency: room.currency,
  refundable: room.refundable,
  cancel_policy: room.cancel_policy,
})

/** Terms in the amounts and currency that the vendor charges. */
export function toChargedTerms(room: Room) {
  const { converted_from: own, fees } = room
  const { total_price, currency, cancel_policy, ...terms } = toRoomTerms(room)
  if (own === null) return { ...terms, total_price, currency, about: null, fees, cancel_policy }
  return {
    ...terms,
    total_price: own.total,
    due_at_property: own.due_at_property,
    currency: own.currency,
    about: { total_price, currency },
    fees: own.fees,
    cancel_policy: { ...cancel_policy, penalties: own.penalties },
  }
}

export const noticeTexts = ({ notices }: Pick<Room, 'notices'>) =>
  notices.map(({ kind, title, text }) => ({ source: kind, text: title === '' ? text : `${title}: ${text}` }))

/** Only from the vendor's URL field, never from text. `URL` percent-encodes invisible characters. */
export const readTermsUrls = ({ notices }: Pick<Room, 'notices'>): string[] => [
  ...new Set(
    notices.flatMap(({ kind, url }) => (kind === 'vendor_terms' && url !== null ? (URL.parse(url)?.href ?? []) : [])),
  ),
]

function collectTexts({ overview }: Detail, rooms: readonly Room[]) {
  const texts = [
    { source: 'description', text: overview.description },
    ...rooms.flatMap((room) => [{ source: 'room_description', text: room.description }, ...noticeTexts(room)]),
  ]
  return texts.filter(({ text }, index) => texts.findIndex((other) => other.text === text) === index)
}
