import { toDecimal } from '../../../src/domain/money/money.ts'
import { distanceKm } from '../../../src/lib/geo.ts'
import { dateIn, daysBetween, isPlainDate } from '../../../src/lib/time/plain-date.ts'
import { type Json, listIn, numberIn, objectIn, textIn } from '../../server/read-json.ts'
import type { VendorView, WorldProperty, WorldRoom } from '../../world/contract.ts'
import { hash } from '../../world/hash.ts'
import { germanRoomName } from '../../world/property/german-texts.ts'
import { spellRoom } from '../../world/rooms/spell-room.ts'
import { categoryName, isInGerman, toBoardCode, toCategoryCode, toDestinationCode } from './codes.ts'
import {
  type Dates,
  isRecheck,
  type PartyQuery,
  type PricedRate,
  presentRate,
  priceRates,
  type Shop,
} from './price-rates.ts'
import { PAYMENTS, type Payment } from './rate-key.ts'
import { invalidData, type Reply, requestError, success } from './vendor-words.ts'

const CODES_MAX = 2000
const RADIUS_MAX_KM = 200
const NIGHTS_MAX = 30
const ROOMS_MAX = 9
const KM_PER_MILE = 1.609344
/** Building all properties of a wide circle takes too long, so only the nearest are considered, sold here or not. */
const AROUND_MAX = 2_400

type Filter = {
  readonly maxHotels: number
  readonly maxRooms: number
  readonly maxRatesPerRoom: number
  readonly payments: readonly Payment[]
  readonly withPackages: boolean
  /** Undefined without a filter. */
  readonly boards: { readonly codes: readonly string[]; readonly included: boolean } | undefined
}
type Query = {
  readonly dates: Dates
  readonly parties: readonly PartyQuery[]
  readonly filter: Filter
  readonly language: string
}

export function answerAvailability(shop: Shop, body: Json, now: number, soldOut: boolean): Reply {
  const read = readQuery(body, now)
  if ('status' in read) return read
  if (read.filter.boards !== undefined && shop.settings.refusedBoards === 1)
    return invalidData('Board codes are not allowed')
  const { settings } = shop
  const query = {
    ...read,
    filter: {
      ...read.filter,
      ...(settings.ignoredPaymentFilter === 1 && { payments: PAYMENTS }),
      ...(settings.ignoredPackagingFilter === 1 && { withPackages: true }),
      ...(settings.ignoredConditions === 1 && { boards: undefined }),
    },
  }
  const found = readHotels(shop, body, query.filter.maxHotels)
  if (!Array.isArray(found)) return found
  const hotels = soldOut ? [] : found.flatMap((property) => presentHotel(shop, property, query, now) ?? [])
  const { checkIn, checkOut } = query.dates
  // Without results, Hotelbeds omits the inner list and the dates.
  if (hotels.length === 0) return success({ hotels: { total: 0 } })
  return success({ hotels: { hotels, checkIn, total: hotels.length, checkOut } })
}

function readQuery(body: Json, now: number): Query | Reply {
  const stay = objectIn(body, 'stay')
  const [checkIn, checkOut] = [textIn(stay, 'checkIn'), textIn(stay, 'checkOut')]
  if (!isPlainDate(checkIn) || !isPlainDate(checkOut))
    return requestError('Error at property stay: dates are mandatory')
  const nights = daysBetween(checkIn, checkOut)
  // A date is in the past only if it is past in the last time zone on earth.
  if (checkIn < dateIn('Pacific/Pago_Pago', now)) return invalidData('The check-in must be in the future')
  if (nights < 1) return invalidData('The check-out must be after the check-in')
  if (nights > NIGHTS_MAX) return invalidData(`The number of nights must be <= ${NIGHTS_MAX}`)
  const parties: PartyQuery[] = []
  for (const entry of listIn(body, 'occupancies')) {
    const party = readParty(entry)
    if (party === undefined) return requestError('Error at property occupancies: the age of children is mandatory')
    parties.push(party)
  }
  if (parties.length === 0) return requestError('Error at property occupancies: may not be empty')
  const rooms = parties.reduce((sum, party) => sum + party.rooms, 0)
  if (rooms > ROOMS_MAX) return invalidData(`The number of rooms must be <= ${ROOMS_MAX}`)
  const filter = objectIn(body, 'filter')
  const limit = (name: string, max: number) => numberIn(filter, name) ?? max
  const limits = {
    maxHotels: limit('maxHotels', CODES_MAX),
    maxRooms: limit('maxRooms', 50),
    maxRatesPerRoom: limit('maxRatesPerRoom', 1000),
  }
  if (limits.maxHotels < 1 || limits.maxHotels > CODES_MAX) return invalidData('maxHotels must be between 1 and 2000')
  if (limits.maxRooms < 1 || limits.maxRooms > 50) return invalidData('maxRooms must be between 1 and 50')
  if (limits.maxRatesPerRoom < 1) return invalidData('maxRatesPerRoom must be greater than or equal to 1')
  const payments = readPayments(filter.paymentType)
  if (payments === undefined) return requestError('Error at property filter->paymentType')
  const language = textIn(body, 'language')
  const withPackages = filter.packaging !== false
  const wanted = { ...limits, payments, withPackages, boards: readBoards(body) }
  return { dates: { checkIn, checkOut }, parties, filter: wanted, language }
}

/** Lists the boards that are included, or excluded by default. */
function readBoards(body: Json): Filter['boards'] {
  if (body.boards === undefined) return undefined
  const boards = objectIn(body, 'boards')
  return { codes: listIn(boards, 'board').map(String), included: boards.included === true }
}

/** Without the filter, rates of both kinds are returned. */
function readPayments(asked: unknown): readonly Payment[] | undefined {
  if (asked === undefined || asked === 'BOTH') return PAYMENTS
  const payment = PAYMENTS.find((known) => known === asked)
  return payment && [payment]
}

function readParty(entry: unknown): PartyQuery | undefined {
  const [rooms, adults, children] = ['rooms', 'adults', 'children'].map((name) => numberIn(entry, name))
  if (rooms === undefined || adults === undefined || children === undefined) return undefined
  const ages = listIn(entry, 'paxes')
    .filter((pax) => textIn(pax, 'type') === 'CH')
    .map((pax) => numberIn(pax, 'age'))
  const childrenAges = ages.filter((age) => age !== undefined && age >= 0 && age <= 17)
  if (![rooms, adults, ...childrenAges].every(Number.isInteger)) return undefined
  if (rooms < 1 || adults < 1 || childrenAges.length !== children || ages.length !== children) return undefined
  return { rooms, occupancy: { adults, childrenAges: childrenAges as number[] } }
}

/** A request must contain exactly one of hotels, a circle or a destination. */
function readHotels(shop: Shop, body: Json, limit: number): WorldProperty[] | Reply {
  const given = ['hotels', 'geolocation', 'destination'].filter((name) => body[name] !== undefined)
  if (given.length !== 1) return invalidData('Only one of destination, geolocation or hotels must be informed')
  if (given[0] === 'destination') {
    return invalidData('Destination search is not available by default: Please contact API Distribution Team')
  }
  if (given[0] === 'geolocation') return hotelsAround(shop, objectIn(body, 'geolocation'), limit)
  const codes = listIn(objectIn(body, 'hotels'), 'hotel')
  if (codes.length === 0) return requestError('Error at property hotels->hotel: may not be empty')
  if (codes.length > CODES_MAX) return invalidData(`The number of hotels must be <= ${CODES_MAX}`)
  if (!codes.every((code) => Number.isSafeInteger(code))) {
    return requestError(
      "Error at property hotels->hotel: Unrecognized token: was expecting ('true', 'false' or 'null')",
    )
  }
  const known = [...new Set(codes as number[])].flatMap((code) => shop.world.byVendorId(code) ?? [])
  return known.slice(0, limit)
}

function hotelsAround(shop: Shop, geolocation: Json, limit: number): WorldProperty[] | Reply {
  const [lat, lon, distance] = ['latitude', 'longitude', 'radius'].map((name) => Number(geolocation[name]))
  const radius = (distance ?? Number.NaN) * (geolocation.unit === 'mi' ? KM_PER_MILE : 1)
  if (lat === undefined || lon === undefined || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) {
    return requestError('Error at property geolocation')
  }
  if (!(radius > 0 && radius <= RADIUS_MAX_KM)) return invalidData(`The radius must be <= ${RADIUS_MAX_KM}`)
  const center = { lat, lon }
  // Not sorted by distance: the order, and which hotels a long response omits, are undocumented.
  return shop.world
    .near({ center, radiusKm: radius }, AROUND_MAX)
    .filter((property) => {
      const view = shop.world.view(property)
      return view !== undefined && distanceKm(center, view.point) <= radius
    })
    .sort((a, b) => hash(a.key, 59) - hash(b.key, 59))
    .slice(0, limit)
}

/** Rooms and their rates, each list cheapest first, cut to the requested limits before formatting. */
function presentHotel(shop: Shop, property: WorldProperty, query: Query, now: number) {
  const view = shop.world.view(property)
  if (view === undefined) return undefined
  const byRoom = new Map<string, PricedRate[]>()
  for (const priced of priceRates(shop, property, view, query.dates, query.parties, now)) {
    const [boardCode] = toBoardCode(property, priced.rate.board, shop.settings)
    if (!isWanted(priced, boardCode, query.filter)) continue
    const list = byRoom.get(priced.roomCode)
    if (list === undefined) byRoom.set(priced.roomCode, [priced])
    else list.push(priced)
  }
  if (byRoom.size === 0) return undefined
  for (const list of byRoom.values()) list.sort((a, b) => a.netMinor - b.netMinor)
  const rooms = [...byRoom.values()].sort((a, b) => (a[0]?.netMinor ?? 0) - (b[0]?.netMinor ?? 0))
  const shown = rooms.slice(0, query.filter.maxRooms).map((list) => list.slice(0, query.filter.maxRatesPerRoom))
  const nets = shown.flat().map((priced) => priced.netMinor)
  const amount = (minor: number) => toDecimal({ minor, currency: shop.currency })
  return {
    ...hotelHead(property, view),
    rooms: shown.map((list) => ({
      code: list[0]?.roomCode,
      name: list[0] && formatRoomName(property, list[0].rate.room, query.language),
      rates: list.map((priced) =>
        presentRate(shop, property, priced, createFacts(shop, property, view, priced, query.dates, now), now),
      ),
    })),
    minRate: amount(Math.min(...nets)),
    maxRate: amount(Math.max(...nets)),
    currency: shop.currency,
  }
}

function isWanted(
  { payment, packaging }: PricedRate,
  boardCode: string,
  { payments, withPackages, boards }: Filter,
): boolean {
  if (!payments.includes(payment) || (packaging && !withPackages)) return false
  return boards === undefined || boards.codes.includes(boardCode) === boards.included
}

const formatRoomName = (property: WorldProperty, room: WorldRoom, language: string): string =>
  isInGerman(property, language) ? germanRoomName(room).toUpperCase() : spellRoom('capitals', property, room)

const createFacts = (
  { settings }: Shop,
  property: WorldProperty,
  view: VendorView,
  priced: PricedRate,
  dates: Dates,
  now: number,
) => ({
  ...dates,
  hotel: view.vendorPropertyId,
  roomCode: priced.roomCode,
  plan: priced.rate.plan,
  payment: priced.payment,
  boardCode: toBoardCode(property, priced.rate.board, settings)[0],
  rooms: priced.party.rooms,
  ...priced.party.occupancy,
  issuedAt: now,
  netMinor: priced.netMinor,
  recheck: isRecheck(property, priced.rate.plan),
  packaging: priced.packaging,
  movedMinor: 0,
})

/** Hotel data that every response contains. Coordinates are strings here. */
export function hotelHead(property: WorldProperty, view: VendorView) {
  const categoryCode = toCategoryCode(view.stars, property.kind)
  return {
    code: view.vendorPropertyId,
    name: view.name,
    categoryCode,
    categoryName: categoryName(categoryCode),
    destinationCode: toDestinationCode(property.place.name),
    destinationName: property.place.name,
    zoneCode: 1,
    zoneName: property.place.name,
    latitude: String(view.point.lat),
    longitude: String(view.point.lon),
  }
}
