import type { Stay } from '../../domain/stay.ts'
import type { Circle } from '../../lib/geo.ts'
import { addDays, type PlainDate } from '../../lib/plain-date.ts'
import type { Call } from '../call.ts'
import type { AvailabilityQuery, BookingLookup, BookOrder, RoomsQuery } from '../contract.ts'
import type { ListShape } from '../read-in-pieces.ts'
import { partiesOf } from './parties.ts'

const BOOKING = '/hotel-api/1.0'
const CONTENT = '/hotel-content-api/1.0'

/** The vendor's own letters for a language; anything else is asked for in English. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  'en:ENG es:CAS de:ALE fr:FRA it:ITA pt:POR nl:HOL zh:CHI ru:RUS ar:ARA tr:TUR pl:POL sv:SUE da:DAN no:NOR nb:NOR fi:FIN el:GRE ja:JPN ko:KOR th:TAI ca:CAT'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, 2), pair.slice(3)]),
)
const languageOf = (tag: string) => LANGUAGES.get(tag.slice(0, 2).toLowerCase()) ?? 'ENG'

/** Countries go by Hotelbeds' own codes, which are ISO's but for this one (countries list, 2024). */
const marketOf = (countryCode: string) => (countryCode === 'GB' ? 'UK' : countryCode)

/**
 * A result list shows the cheapest way in, and every rate more is paid for in time. The vendor sorts rooms and rates by price
 * (seen in all its samples), so two rates of the cheapest room leave a second choice where the first cannot be sold; with mixed
 * parties the rates of all share one list. Rates that the hotel collects itself are no choice for us: left in, the two cheapest could
 * both be such and hide the hotel. Package rates come only where they are asked for.
 */
const summaryFilter = (parties: number) => ({
  paymentType: 'AT_WEB',
  ...(parties === 1 ? { maxRooms: 1, maxRatesPerRoom: 2 } : { maxRooms: 10, maxRatesPerRoom: 2 * parties }),
})

/** Rooms and promotions begin with a code too, but theirs is a text. */
const HOTELS: ListShape = { path: ['hotels', 'hotels'], opening: '"hotels":[', item: '{"code":', thenDigit: true }

export function encodeAvailability(query: AvailabilityQuery): Call {
  const parties = partiesOf(query.stay).length
  return {
    class: 'search',
    operation: 'availability',
    method: 'POST',
    list: HOTELS,
    path: `${BOOKING}/hotels`,
    body: {
      ...stayOf(query.stay),
      hotels: { hotel: query.vendorPropertyIds.map(Number) },
      filter: summaryFilter(parties),
      ...marketFields(query.market),
    },
    ifLost: 'none',
  }
}

export function encodeRooms(query: RoomsQuery): Call {
  return {
    class: 'search',
    operation: 'rooms',
    method: 'POST',
    path: `${BOOKING}/hotels`,
    body: {
      ...stayOf(query.stay),
      hotels: { hotel: [Number(query.vendorPropertyId)] },
      ...marketFields(query.market),
    },
    ifLost: 'none',
  }
}

/** Which hotels there are in a circle: the Content API cannot be asked that, so a sample stay is. */
export function encodeDiscover(circle: Circle, limit: number, today: PlainDate): Call {
  const checkIn = addDays(today, 30)
  return {
    class: 'content',
    operation: 'discover',
    method: 'POST',
    path: `${BOOKING}/hotels`,
    body: {
      ...stayOf({ checkIn, checkOut: addDays(checkIn, 1), occupancies: [{ adults: 2, childrenAges: [] }] }),
      geolocation: {
        latitude: circle.center.lat,
        longitude: circle.center.lon,
        radius: Math.min(200, Math.max(1, Math.ceil(circle.radiusKm))),
        unit: 'km',
      },
      filter: { maxHotels: Math.min(2000, Math.max(1, limit)), maxRooms: 1, maxRatesPerRoom: 1 },
    },
    ifLost: 'none',
  }
}

function stayOf(stay: Stay) {
  return {
    stay: { checkIn: stay.checkIn, checkOut: stay.checkOut },
    occupancies: partiesOf(stay).map((party) => ({
      rooms: party.rooms.length,
      adults: party.adults,
      children: party.childrenAges.length,
      ...(party.childrenAges.length > 0 && { paxes: party.childrenAges.map((age) => ({ type: 'CH', age })) }),
    })),
  }
}

const marketFields = (market: AvailabilityQuery['market']) => ({
  sourceMarket: marketOf(market.countryCode),
  language: languageOf(market.language),
})

/** Rate keys are copied, never read. All keys of one call are of one kind. */
export function encodePriceCheck(rateKeys: readonly string[]): Call {
  return {
    class: 'price_check',
    operation: 'price_check',
    method: 'POST',
    path: `${BOOKING}/checkrates`,
    body: { rooms: rateKeys.map((rateKey) => ({ rateKey })), upselling: false },
    ifLost: 'none',
  }
}

/** One entry a rate key, with everybody in all of its rooms; rooms count from 1 in each entry. */
export function encodeBook(order: BookOrder, rateKeys: readonly string[], creationUser: string | undefined): Call {
  const [lead] = order.guests
  const remark = order.specialRequests.trim().slice(0, 2000)
  return {
    class: 'book',
    operation: 'book',
    method: 'POST',
    path: `${BOOKING}/bookings`,
    body: {
      holder: { name: nameOf(lead?.givenName), surname: nameOf(lead?.familyName) },
      rooms: partiesOf(order.stay).map((party, index) => ({
        rateKey: rateKeys[index],
        paxes: party.rooms.flatMap((room, place) => paxesOf(order, room, place + 1)),
      })),
      clientReference: order.reference,
      // Without it the vendor may book at up to 2 % more than was agreed.
      tolerance: 0,
      ...(remark !== '' && { remark }),
      ...(creationUser !== undefined && { creationUser }),
    },
    ifLost: 'unknown',
  }
}

/** The lead guest by name (one adult's name a room is required), the rest by kind and age. */
function paxesOf(order: BookOrder, room: number, roomId: number) {
  const occupancy = order.stay.occupancies[room]
  const guest = order.guests[room] ?? order.guests[0]
  const named = { name: nameOf(guest?.givenName), surname: nameOf(guest?.familyName) }
  const adults = Array.from({ length: occupancy?.adults ?? 1 }, (_, index) => ({
    roomId,
    type: 'AD',
    ...(index === 0 && named),
  }))
  return [...adults, ...(occupancy?.childrenAges ?? []).map((age) => ({ roomId, type: 'CH', age }))]
}

const nameOf = (name: string | undefined) => (name ?? '').trim().slice(0, 50)

/** Bookings are listed by day of creation; a day either side covers both clocks. */
export function encodeFind({ reference, createdOn }: BookingLookup): Call {
  const query = new URLSearchParams({
    clientReference: reference,
    filterType: 'CREATION',
    start: addDays(createdOn, -1),
    end: addDays(createdOn, 1),
    status: 'ALL',
    from: '1',
    to: '25',
  })
  return manage('find', 'GET', `${BOOKING}/bookings?${query}`)
}

export const encodeDetail = (vendorReference: string): Call =>
  manage('find', 'GET', `${BOOKING}/bookings/${encodeURIComponent(vendorReference)}`)

/** The flag is never left out: without one, the vendor cancels for real. */
export const encodePreviewCancel = (vendorReference: string): Call =>
  manage('preview_cancel', 'DELETE', `${cancelPath(vendorReference)}SIMULATION`)

export const encodeCancel = (vendorReference: string): Call => ({
  ...manage('cancel', 'DELETE', `${cancelPath(vendorReference)}CANCELLATION`),
  ifLost: 'unknown',
})

const cancelPath = (vendorReference: string) =>
  `${BOOKING}/bookings/${encodeURIComponent(vendorReference)}?cancellationFlag=`

const manage = (operation: string, method: Call['method'], path: string): Call => ({
  class: 'manage',
  operation,
  method,
  path,
  ifLost: 'none',
})

export const encodeStatus = (): Call => manage('probe', 'GET', `${BOOKING}/status`)

/** One page of the portfolio, `from` counted from 1. */
export const encodeFeed = (from: number, size: number, since: PlainDate | undefined): Call =>
  content('content', '/hotels', {
    fields: 'all',
    language: 'ENG',
    useSecondaryLanguage: 'true',
    from: String(from),
    to: String(from + size - 1),
    ...(since !== undefined && { lastUpdateTime: since }),
  })

export const encodeProperties = (ids: readonly string[]): Call =>
  content('content', '/hotels', {
    fields: 'all',
    codes: ids.join(','),
    language: 'ENG',
    useSecondaryLanguage: 'true',
    from: '1',
    to: String(ids.length),
  })

/** A list that gives names to codes: `types/facilities`, `locations/countries` … */
export const encodeCodeList = (list: string, from: number, to: number, codes?: readonly string[]): Call =>
  content('code_list', `/${list}`, {
    fields: 'all',
    ...(codes !== undefined && { codes: codes.join(',') }),
    language: 'ENG',
    from: String(from),
    to: String(to),
  })

function content(operation: string, path: string, query: Record<string, string>): Call {
  // Commas may stand in a query as they are, and a thousand codes are a third shorter that way.
  const text = new URLSearchParams(query).toString().replaceAll('%2C', ',')
  return {
    class: 'content',
    operation,
    method: 'GET',
    path: `${CONTENT}${path}?${text}`,
    origin: 'content',
    ifLost: 'none',
  }
}
