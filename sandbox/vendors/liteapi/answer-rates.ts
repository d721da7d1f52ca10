import { distanceKm } from '../../../src/lib/geo.ts'
import { dateIn, daysBetween, isPlainDate } from '../../../src/lib/time/plain-date.ts'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { hasFault } from '../../server/fault-plan.ts'
import type { Fault } from '../../server/faults.ts'
import { type Json, listIn, numberIn, objectIn, textIn } from '../../server/read-json.ts'
import type { WorldProperty, WorldRate } from '../../world/contract.ts'
import { hash, hashShare, hashText } from '../../world/hash.ts'
import { formatHotelId, parseHotelId, toBoardCode } from './codes.ts'
import { presentOffer } from './present-offer.ts'
import { priceOffers, type RatesQuery, type ShopParts, totalPrice } from './price-offers.ts'
import { readSetting } from './settings.ts'
import { badRequest, json, missing, noAvailability, stream } from './vendor-words.ts'

const NIGHTS_MAX = 60
const HOTELS_MAX = 5_000
const HOTELS_DEFAULT = 200
const PER_EVENT = 25
/** The vendor's own list; its response to other currencies is not documented. */
const CURRENCIES = new Set(
  'AED AUD BRL CAD CNY EUR FJD GBP HKD IDR INR JPY LKR MAD MNT MUR MXN MYR OMR PHP RUB SAR SGD THB TWD USD ZAR'.split(
    ' ',
  ),
)

/** Offers for each property that has any, cheapest first, as one response or as a stream. */
export function answerRates(shop: ShopParts, sent: unknown, faults: readonly Fault[], now: number): StandInAnswer {
  const body = objectIn(sent)
  const query = readQuery(body, now)
  if ('status' in query) return query
  if (body.boardType !== undefined && readSetting(shop.settings, 'refusedBoards') === 1)
    return badRequest('invalid boardType')
  const found = findProperties(shop, body)
  if (!Array.isArray(found)) return found
  const properties = hasFault(faults, 'sold_out') ? [] : found
  const data = properties.flatMap((property) => presentProperty(shop, property, query, body, now) ?? [])
  if (data.length === 0) {
    const draw = hashShare(hash(properties.length, hashText(query.checkIn)), 68)
    return noAvailability(draw < readSetting(shop.settings, 'emptyAs204'))
  }
  return body.stream === true ? stream(splitIntoEvents(shop, data)) : json(200, { data, guestLevel: 0, sandbox: true })
}

function readQuery(body: Json, now: number): RatesQuery | StandInAnswer {
  const [checkIn, checkOut, currency] = [textIn(body, 'checkin'), textIn(body, 'checkout'), textIn(body, 'currency')]
  if (!isPlainDate(checkIn) || !isPlainDate(checkOut)) return missing('checkin and checkout are required')
  if (!CURRENCIES.has(currency)) return missing('currency is required')
  if (!/^[A-Z]{2}$/.test(textIn(body, 'guestNationality'))) return missing('guestNationality is required')
  const nights = daysBetween(checkIn, checkOut)
  if (nights < 1 || nights > NIGHTS_MAX) return badRequest('checkout must be after checkin')
  // A date is in the past only if it is past in the last time zone on earth.
  if (checkIn < dateIn('Pacific/Pago_Pago', now)) return badRequest('checkin must not be in the past')
  const parties = listIn(body, 'occupancies').map((room) => ({
    adults: numberIn(room, 'adults') ?? 0,
    childrenAges: listIn(room, 'children').map(Number),
  }))
  const isValid = parties.every(
    ({ adults, childrenAges }) =>
      adults > 0 &&
      [adults, ...childrenAges].every(Number.isInteger) &&
      childrenAges.every((age) => age >= 0 && age < 18),
  )
  if (parties.length === 0 || !isValid) return missing('occupancies are required')
  const margin = numberIn(body, 'margin') ?? 10
  return margin < 0 ? badRequest('margin must not be negative') : { checkIn, checkOut, parties, currency, margin }
}

/** A request must contain either ids or a point. */
function findProperties(shop: ShopParts, body: Json): WorldProperty[] | StandInAnswer {
  const limit = Math.min(HOTELS_MAX, numberIn(body, 'limit') ?? HOTELS_DEFAULT)
  if (Array.isArray(body.hotelIds)) {
    const ids = [...new Set(body.hotelIds)].slice(0, limit)
    const found = ids.flatMap((id) => shop.world.byVendorId(parseHotelId(id)) ?? [])
    return found.length === 0 ? badRequest('hotel ids not found') : found
  }
  const [lat, lon, radius] = ['latitude', 'longitude', 'radius'].map((name) => numberIn(body, name))
  if (lat === undefined || lon === undefined || radius === undefined) {
    return badRequest('you must search by either country code, latitude and longitude, placeId, IATA code, or hotelIds')
  }
  const center = { lat, lon }
  const radiusKm = radius / 1000
  return shop.world
    .near({ center, radiusKm }, limit * 2)
    .filter((property) => {
      const view = shop.world.view(property)
      return view !== undefined && distanceKm(center, view.point) <= radiusKm
    })
    .slice(0, limit)
}

/** Cut to the requested limit before formatting. The limit counts rates, and an offer has one rate per room. */
function presentProperty(shop: ShopParts, property: WorldProperty, query: RatesQuery, body: Json, now: number) {
  const view = shop.world.view(property)
  if (view === undefined) return undefined
  const boards = textIn(body, 'boardType').split(',').filter(Boolean)
  const isWanted = (rate: WorldRate) =>
    readSetting(shop.settings, 'ignoredConditions') === 1 ||
    ((boards.length === 0 || boards.includes(toBoardCode(property, rate.board, shop.settings)[0])) &&
      (body.refundableRatesOnly !== true || rate.refundable))
  const offers = priceOffers(shop, property, query, now, isWanted).sort((a, b) => totalPrice(a) - totalPrice(b))
  const ratesMax = numberIn(body, 'maxRatesPerHotel') ?? Number.POSITIVE_INFINITY
  const shown = offers.slice(0, Math.max(1, Math.floor(ratesMax / query.parties.length)))
  if (shown.length === 0) return undefined
  const roomTypes = shown.map((offer) => {
    const rooms = offer.rooms.map(({ rate }) => rate.room.number)
    const { plan, isPackage } = offer
    const facts = { ...query, hotel: view.vendorPropertyId, rooms, plan, isPackage, raise: 1 }
    return presentOffer(shop, offer, facts, body.roomMapping === true)
  })
  return { hotelId: formatHotelId(view.vendorPropertyId), roomTypes }
}

type Listed = { readonly hotelId: string; readonly roomTypes: readonly unknown[] }

/** Several properties per event, some of them split over two events, and a list of their ids at the end. */
function splitIntoEvents(shop: ShopParts, data: readonly Listed[]): unknown[] {
  const events: { rates: Listed[] }[] = []
  const late: Listed[] = []
  for (let from = 0; from < data.length; from += PER_EVENT) {
    const rates = data.slice(from, from + PER_EVENT).map((property) => {
      const half = Math.ceil(property.roomTypes.length / 2)
      const isSplit =
        half < property.roomTypes.length &&
        hashShare(hashText(property.hotelId), 69) < readSetting(shop.settings, 'splitEvents')
      if (!isSplit) return property
      late.push({ ...property, roomTypes: property.roomTypes.slice(half) })
      return { ...property, roomTypes: property.roomTypes.slice(0, half) }
    })
    events.push({ rates })
  }
  return [...events, ...(late.length > 0 ? [{ rates: late }] : []), { hotels: data.map(({ hotelId: id }) => ({ id })) }]
}
