import type { Market, Stay } from '../../domain/stay.ts'
import type { Circle } from '../../lib/geo.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { AvailabilityQuery, BookOrder, RoomsQuery } from '../contract.ts'
import type { Call, CallClass } from '../transport/call.ts'
import type { RateKind } from '../wire/rate-kinds.ts'
import type { LiteapiConfig } from './config.ts'
import type { StayRef } from './offer-ref.ts'

const VERSION = '/v3.0'
/** How long the vendor may take, in seconds. Left out, it gives up after four, on a cancellation too. */
const SECONDS = { list: 8, rooms: 15, prebook: 18, book: 110, manage: 20, content: 30 } as const
/** The vendor counts this before it matches rooms, and one property may have hundreds. */
const RATES_OF_DETAIL = 500

/** So many rates of each property: the cheapest, and some for what turns out not to be for sale. */
const RATES_OF_KIND: Readonly<Record<RateKind, number>> = {
  cheapest: 3,
  refundable: 2,
  breakfast: 2,
  half_board: 2,
  full_board: 2,
  all_inclusive: 2,
}
export const ratesOfList = (rooms: number, kind: RateKind = 'cheapest'): number => RATES_OF_KIND[kind] * rooms

/** The vendor's codes, those of its older list too. */
const BOARD_TYPES: Partial<Record<RateKind, string>> = {
  breakfast: 'BI,BB',
  // Breakfast with dinner or lunch.
  half_board: 'HB,BDI,BLI',
  full_board: 'FB',
  all_inclusive: 'AI',
}
/** A property may have many package rates; of a kind there are not so many. */
export const ratesOfHidden = (rooms: number, kind: RateKind = 'cheapest'): number =>
  (kind === 'cheapest' ? 60 : 5) * rooms

/** Streamed, so that the vendor sends each property when it has it. */
export const encodeAvailability = (
  config: LiteapiConfig,
  query: AvailabilityQuery,
  ratesMax: number,
  kind: RateKind = 'cheapest',
): Call =>
  rates('availability', {
    hotelIds: query.vendorPropertyIds,
    ...stayBody(config, query.stay, query.market),
    limit: query.vendorPropertyIds.length,
    maxRatesPerHotel: ratesMax,
    ...(kind === 'refundable' && { refundableRatesOnly: true }),
    ...(BOARD_TYPES[kind] !== undefined && { boardType: BOARD_TYPES[kind] }),
    timeout: SECONDS.list,
    stream: true,
  })

export const encodeRooms = (config: LiteapiConfig, { vendorPropertyId, stay, market }: RoomsQuery): Call =>
  rates('rooms', {
    hotelIds: [vendorPropertyId],
    ...stayBody(config, stay, market),
    maxRatesPerHotel: RATES_OF_DETAIL,
    roomMapping: true,
    timeout: SECONDS.rooms,
  })

const rates = (operation: string, body: object): Call => ({
  class: 'search',
  operation,
  method: 'POST',
  path: `${VERSION}/hotels/rates`,
  body,
  ifLost: 'none',
})

/** The vendor's own list of currencies. */
const CURRENCIES = new Set(
  'AED AUD BRL CAD CNY EUR FJD GBP HKD IDR INR JPY LKR MAD MNT MUR MXN MYR OMR PHP RUB SAR SGD THB TWD USD ZAR'.split(
    ' ',
  ),
)

/** One occupancy per room, in the order of the rooms. Prices in dollars are converted for guests who pay in another currency. */
const stayBody = ({ marginPercent }: LiteapiConfig, stay: Stay, { currency, countryCode }: Market) => ({
  checkin: stay.checkIn,
  checkout: stay.checkOut,
  currency: CURRENCIES.has(currency) ? currency : 'USD',
  guestNationality: countryCode,
  occupancies: stay.occupancies.map(({ adults, childrenAges }) => ({ adults, children: childrenAges })),
  margin: marginPercent,
})

export const encodePriceCheck = ({ offerId }: Pick<StayRef, 'offerId'>): Call => ({
  ...onBook('price_check', 'price_check', 'POST', `/rates/prebook?timeout=${SECONDS.prebook}`),
  body: { offerId, usePaymentSdk: false },
})

/** `unknown` if lost: without an answer nobody can say whether it was booked, so it is never sent again. */
export function encodeBook({ payment, businessPhone }: LiteapiConfig, order: BookOrder, prebookId: string): Call {
  const [lead] = order.guests
  const { email } = order.contact
  const phone = order.contact.phone || businessPhone
  const remarks = order.specialRequests.trim().slice(0, 1000)
  return {
    ...onBook('book', 'book', 'POST', `/rates/book?timeout=${SECONDS.book}`),
    body: {
      prebookId,
      clientReference: order.reference,
      holder: { firstName: nameOf(lead?.givenName), lastName: nameOf(lead?.familyName), email, phone },
      // Exactly one guest per room.
      guests: order.stay.occupancies.map((_, room) => {
        const guest = order.guests[room] ?? lead
        const name = { firstName: nameOf(guest?.givenName), lastName: nameOf(guest?.familyName) }
        return { occupancyNumber: room + 1, ...name, email, phone, ...(remarks !== '' && { remarks }) }
      }),
      payment: { method: payment },
    },
    ifLost: 'unknown',
  }
}

const nameOf = (name: string | undefined) => (name ?? '').trim().slice(0, 60)

/** Without the slash at the end of the path: with it, it is another operation. */
export const encodeFind = (reference: string): Call =>
  onBook(
    'manage',
    'find',
    'GET',
    `/bookings?${new URLSearchParams({ clientReference: reference, timeout: String(SECONDS.manage) })}`,
  )

export const encodeDetail = (bookingId: string): Call => onBook('manage', 'find', 'GET', bookingPath(bookingId))

export const encodeCancel = (bookingId: string): Call => ({
  ...onBook('manage', 'cancel', 'PUT', bookingPath(bookingId)),
  ifLost: 'unknown',
})

const bookingPath = (bookingId: string) => `/bookings/${encodeURIComponent(bookingId)}?timeout=${SECONDS.manage}`

const onBook = (of: CallClass, operation: string, method: Call['method'], path: string): Call => ({
  class: of,
  operation,
  method,
  path: `${VERSION}${path}`,
  origin: 'book',
  ifLost: 'none',
})

type ListQuery = { readonly limit: number; readonly offset: number } & (
  | { readonly circle: Circle }
  | { readonly country: string; readonly since?: PlainDate | undefined }
)

const RADIUS_MIN_M = 1_000
const LIST_MAX = 5_000

/** Properties of a circle or of a country, in the short form of a list. */
export function encodeList(query: ListQuery): Call {
  const search = new URLSearchParams({ language: 'en', timeout: String(SECONDS.content) })
  if ('circle' in query) {
    search.set('latitude', String(query.circle.center.lat))
    search.set('longitude', String(query.circle.center.lon))
    search.set('radius', String(Math.max(RADIUS_MIN_M, Math.ceil(query.circle.radiusKm * 1000))))
  } else search.set('countryCode', query.country)
  search.set('offset', String(query.offset))
  if ('since' in query && query.since !== undefined) search.set('lastUpdatedAt', `${query.since}T00:00:00Z`)
  search.set('limit', String(Math.min(LIST_MAX, Math.max(1, query.limit))))
  return content('content', `/data/hotels?${search}`)
}

/** The vendor's own list of currencies. */
export const LITEAPI_LANGUAGES: ReadonlySet<string> = new Set(
  'ar bg ca cs da de el es et fi fr hr hu it ja lt lv nb nl pl pt ro ru sk sl sv tr uk zh'.split(' '),
)

export const encodeProperty = (id: string, language = 'en'): Call =>
  content('content', `/data/hotel?${new URLSearchParams({ hotelId: id, language, timeout: String(SECONDS.content) })}`)

/** Names of numbers, and the countries: read whole. */
export const encodeCodeList = (list: 'countries' | 'facilities' | 'hotelTypes'): Call =>
  content('code_list', `/data/${list}`)

const content = (operation: string, path: string): Call => ({
  class: 'content',
  operation,
  method: 'GET',
  path: `${VERSION}${path}`,
  ifLost: 'none',
})
