import type { Conditions } from '../../domain/offer.ts'
import { primaryLanguage } from '../../domain/property/property-texts.ts'
import type { Stay } from '../../domain/stay.ts'
import type { Circle } from '../../lib/geo.ts'
import { addDays, type PlainDate } from '../../lib/time/plain-date.ts'
import type { Amendment, AvailabilityQuery, BookingLookup, BookOrder, DaySpan, Guest, RoomsQuery } from '../contract.ts'
import type { Call, CallClass } from '../transport/call.ts'
import { asRecord, asRecords, type Wire } from '../wire/read.ts'
import { listBoardCodes } from './board.ts'
import type { HotelbedsConfig } from './config.ts'
import type { StayRef } from './offer-ref.ts'
import { groupParties } from './parties.ts'

const BOOKING = '/hotel-api/1.0'
const CONTENT = '/hotel-content-api/1.0'

/** The vendor's language codes; English is used for all others. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  'en:ENG es:CAS de:ALE fr:FRA it:ITA pt:POR nl:HOL zh:CHI ru:RUS ar:ARA tr:TUR pl:POL sv:SUE da:DAN no:NOR nb:NOR fi:FIN el:GRE ja:JPN ko:KOR th:TAI ca:CAT'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, 2), pair.slice(3)]),
)
/** Primary tags, such as `de`. */
export const HOTELBEDS_LANGUAGES: ReadonlySet<string> = new Set(LANGUAGES.keys())
const vendorLanguage = (tag: string) => LANGUAGES.get(primaryLanguage(tag)) ?? 'ENG'

/** The cheapest rooms often fit only the smaller parties. With fewer rooms, the hotel would be missing from the list. */
const ROOMS_OF_DIFFERENT_PARTIES = 10

/**
 * A list needs only the cheapest rates. More are requested if the vendor cannot exclude package rates or rates without
 * free cancellation, because it limits the response before we drop them (see README.md).
 */
function listFilter({ excludePackages }: HotelbedsConfig, conditions: Conditions | undefined, parties: number) {
  const isFiltered = excludePackages && conditions?.freeCancellation !== true
  const [maxRooms, ratesPerParty] = isFiltered ? [2, 4] : [3, 8]
  return {
    ...(excludePackages && { packaging: false }),
    maxRooms: parties === 1 ? maxRooms : ROOMS_OF_DIFFERENT_PARTIES,
    maxRatesPerRoom: ratesPerParty * parties,
  }
}

const post = (callClass: CallClass, operation: string, path: string, body: unknown): Call => ({
  class: callClass,
  operation,
  method: 'POST',
  path: `${BOOKING}${path}`,
  body,
  ifLost: 'none',
})

/** Excludes rates that the hotel collects, because we cannot sell them. */
export function encodeAvailability(config: HotelbedsConfig, query: AvailabilityQuery): Call {
  const stay = encodeStay(query.stay)
  const { conditions } = query
  return post('search', 'availability', '/hotels', {
    ...stay,
    hotels: { hotel: query.vendorPropertyIds.map(Number) },
    filter: { paymentType: 'AT_WEB', ...listFilter(config, conditions, stay.occupancies.length) },
    ...(conditions?.boards && { boards: { board: conditions.boards.flatMap(listBoardCodes), included: true } }),
    ...marketFields(query.market),
  })
}

export function encodeRooms(query: RoomsQuery): Call {
  return post('search', 'rooms', '/hotels', {
    ...encodeStay(query.stay),
    hotels: { hotel: [Number(query.vendorPropertyId)] },
    ...marketFields(query.market),
  })
}

/** Limits of the vendor. */
export const DISCOVER_MAX = 2000
export const RADIUS_MAX_KM = 200

/** Finds the hotels in a circle with a sample stay, because the Content API has no search by location. */
export function encodeDiscover(circle: Circle, today: PlainDate): Call {
  const checkIn = addDays(today, 30)
  return post('content', 'discover', '/hotels', {
    ...encodeStay({ checkIn, checkOut: addDays(checkIn, 1), occupancies: [{ adults: 2, childrenAges: [] }] }),
    geolocation: {
      latitude: circle.center.lat,
      longitude: circle.center.lon,
      radius: Math.min(RADIUS_MAX_KM, Math.max(1, Math.ceil(circle.radiusKm))),
      unit: 'km',
    },
    filter: { maxHotels: DISCOVER_MAX, maxRooms: 1, maxRatesPerRoom: 1 },
  })
}

function encodeStay(stay: Stay) {
  return {
    stay: { checkIn: stay.checkIn, checkOut: stay.checkOut },
    occupancies: groupParties(stay).map((party) => ({
      rooms: party.rooms.length,
      adults: party.adults,
      children: party.childrenAges.length,
      ...(party.childrenAges.length > 0 && { paxes: party.childrenAges.map((age) => ({ type: 'CH', age })) }),
    })),
  }
}

const marketFields = (market: AvailabilityQuery['market']) => ({
  // Every public client sends `GB`, although Hotelbeds' own list of countries has `UK`.
  sourceMarket: market.countryCode,
  language: vendorLanguage(market.language),
})

/** Rates with recheck get one call each, because some suppliers refuse several; bookable ones share one call. */
export function encodePriceChecks({ rates, language }: Pick<StayRef, 'rates' | 'language'>): Call[] {
  const bookable = rates.filter((rate) => !rate.recheck).map(({ rateKey }) => rateKey)
  const rechecks = rates.filter((rate) => rate.recheck).map(({ rateKey }) => [rateKey])
  return [...rechecks, ...(bookable.length > 0 ? [bookable] : [])].map((keys) => encodePriceCheck(keys, language))
}

/** Rate keys are opaque. Without a language, comments come in English. */
export const encodePriceCheck = (rateKeys: readonly string[], language = 'en'): Call =>
  post('price_check', 'price_check', '/checkrates', {
    rooms: rateKeys.map((rateKey) => ({ rateKey })),
    upselling: false,
    language: vendorLanguage(language),
  })

/** One entry per rate key with the guests of all its rooms; rooms are numbered from 1 in each entry. */
export function encodeBook(order: BookOrder, rateKeys: readonly string[], creationUser: string | undefined): Call {
  const [lead] = order.guests
  const remark = order.specialRequests.trim().slice(0, 2000)
  return {
    ...post('book', 'book', '/bookings', {
      holder: { name: cleanName(lead?.givenName), surname: cleanName(lead?.familyName) },
      rooms: groupParties(order.stay).map((party, index) => ({
        rateKey: rateKeys[index],
        paxes: party.rooms.flatMap((room, index) => encodePaxes(order, room, index + 1)),
      })),
      clientReference: order.reference,
      // Without it the vendor may book at up to 2 % more than was agreed.
      tolerance: 0,
      ...(remark !== '' && { remark }),
      ...(creationUser !== undefined && { creationUser }),
    }),
    ifLost: 'unknown',
  }
}

/** The lead guest by name (one adult's name per room is required), the others by type and age. */
function encodePaxes(order: BookOrder, room: number, roomId: number) {
  const occupancy = order.stay.occupancies[room]
  const guest = order.guests[room] ?? order.guests[0]
  const named = { name: cleanName(guest?.givenName), surname: cleanName(guest?.familyName) }
  const adults = Array.from({ length: occupancy?.adults ?? 1 }, (_, index) => ({
    roomId,
    type: 'AD',
    ...(index === 0 && named),
  }))
  return [...adults, ...(occupancy?.childrenAges ?? []).map((age) => ({ roomId, type: 'CH', age }))]
}

const cleanName = (name: string | undefined) => (name ?? '').trim().slice(0, 50)

/** The vendor refuses longer periods; it does not document the limit. */
export const LIST_DAYS_MAX = 30

/** Bookings are listed by creation date; one day on either side allows for clock differences. */
export function encodeFind({ reference, createdOn, createdSince = createdOn }: BookingLookup): Call {
  const earliest = addDays(createdOn, 3 - LIST_DAYS_MAX)
  const query = new URLSearchParams({
    clientReference: reference,
    filterType: 'CREATION',
    start: addDays(createdSince < earliest ? earliest : createdSince, -1),
    end: addDays(createdOn, 1),
    status: 'ALL',
    from: '1',
    to: '25',
  })
  return manage('find', 'GET', `${BOOKING}/bookings?${query}`)
}

/** Cancelled bookings by their day of check-in, or all by the day on which they were made. */
export type BookingList = 'cancelled' | 'created'
const LIST_FILTERS = {
  cancelled: { filterType: 'CHECKIN', status: 'CANCELLED' },
  created: { filterType: 'CREATION', status: 'ALL' },
}

export function encodeList(list: BookingList, { from: start, to: end }: DaySpan, from: number, to: number): Call {
  const query = new URLSearchParams({ ...LIST_FILTERS[list], start, end, from: String(from), to: String(to) })
  return manage('list', 'GET', `${BOOKING}/bookings?${query}`)
}

/**
 * The booking as it was read, with new names of lead guests and a new remark. A simulation changes nothing and returns
 * the booking as it would be.
 */
export function encodeAmend(
  mode: 'SIMULATION' | 'UPDATE',
  vendorReference: string,
  booking: Wire,
  { guests, specialRequests }: Amendment,
  leads: ReadonlyMap<Wire, Guest | undefined>,
): Call {
  const [lead] = guests
  const hotel = asRecord(booking.hotel)
  const rooms = asRecords(hotel?.rooms).map((room) => ({
    ...room,
    paxes: asRecords(room.paxes).map((pax) => {
      const guest = leads.get(pax)
      return guest === undefined
        ? pax
        : { ...pax, name: cleanName(guest.givenName), surname: cleanName(guest.familyName) }
    }),
  }))
  return {
    ...manage('amend', 'PUT', `${BOOKING}/bookings/${encodeURIComponent(vendorReference)}`),
    ifLost: mode === 'UPDATE' ? 'unknown' : 'none',
    body: {
      mode,
      booking: {
        ...booking,
        holder: { name: cleanName(lead?.givenName), surname: cleanName(lead?.familyName) },
        remark: specialRequests.trim().slice(0, 2000),
        hotel: { ...hotel, rooms },
      },
    },
  }
}

export const encodeDetail = (vendorReference: string): Call =>
  manage('find', 'GET', `${BOOKING}/bookings/${encodeURIComponent(vendorReference)}`)

/** Hotel's own confirmation numbers of one booking. */
export function encodeReconfirmations(vendorReference: string): Call {
  const query = new URLSearchParams({ references: vendorReference, from: '1', to: '10' })
  return manage('reconfirmations', 'GET', `${BOOKING}/bookings/reconfirmations?${query}`)
}

/** Always set the flag: without it, the vendor really cancels. */
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

/** `from` is counted from 1. */
export const encodeFeed = (from: number, size: number, since: PlainDate | undefined): Call =>
  content('content', '/hotels', from, from + size - 1, {
    useSecondaryLanguage: 'true',
    ...(since !== undefined && { lastUpdateTime: since }),
  })

/** Fields for a result list; rooms with their facilities are half of the data. */
const LIST_FIELDS =
  'code,name,description,countryCode,stateCode,coordinates,categoryCode,chainCode,accommodationTypeCode,address,' +
  'postalCode,city,phones,facilities,images'

export const encodeProperties = (ids: readonly string[], { withRooms = true, language = 'en' } = {}): Call =>
  content('content', '/hotels', 1, ids.length, {
    language: vendorLanguage(language),
    useSecondaryLanguage: 'true',
    codes: ids.join(','),
    ...(!withRooms && { fields: LIST_FIELDS }),
  })

/** List that translates codes into names: `types/facilities`, `locations/countries` … */
export const encodeCodeList = (
  list: string,
  from: number,
  to: number,
  codes?: readonly string[],
  language = 'en',
): Call =>
  content('code_list', `/${list}`, from, to, {
    language: vendorLanguage(language),
    useSecondaryLanguage: 'true',
    ...(codes !== undefined && { codes: codes.join(',') }),
  })

export const encodeCommentDetails = (code: string, date: PlainDate): Call =>
  content('rate_comments', '/types/ratecommentdetails', 1, 100, { date, code })

function content(
  operation: string,
  path: string,
  from: number,
  to: number,
  { language = 'ENG', ...more }: Record<string, string>,
): Call {
  const query = new URLSearchParams({ fields: 'all', ...more, language, from: String(from), to: String(to) })
  // Commas are valid in a query, and a thousand codes are a third shorter that way.
  const text = query.toString().replaceAll('%2C', ',')
  return {
    class: 'content',
    operation,
    method: 'GET',
    path: `${CONTENT}${path}?${text}`,
    origin: 'content',
    ifLost: 'none',
  }
}
