import type { Market, Stay } from '../../domain/stay.ts'
import type { Circle } from '../../lib/geo.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { AvailabilityQuery, BookOrder, DaySpan, RoomsQuery } from '../contract.ts'
import type { Call, CallClass } from '../transport/call.ts'
import { listBoardCodes } from './board.ts'
import type { LiteapiConfig, LiteapiEnvironment } from './config.ts'
import type { StayRef } from './offer-ref.ts'

const VERSION = '/v3.0'
/** Timeout parameter of the vendor, which is four seconds by default, even for cancellations. */
const TIMEOUT_S = { list: 8, rooms: 15, prebook: 110, book: 110, manage: 20, content: 30 } as const
/** The vendor applies the limit before mapping rooms, and one property may have hundreds. */
const ROOMS_RATES_MAX = 500

/** Per room: the cheapest, and spare ones for rates that are not for sale to us. */
const LIST_RATES_MAX = 4

/** Streamed, so that the vendor sends each property once it is ready. */
export const encodeAvailability = (config: LiteapiConfig, query: AvailabilityQuery): Call =>
  ratesCall('availability', {
    hotelIds: query.vendorPropertyIds,
    ...stayBody(config, query.stay, query.market),
    limit: query.vendorPropertyIds.length,
    maxRatesPerHotel: LIST_RATES_MAX * query.stay.occupancies.length,
    ...(query.conditions?.freeCancellation === true && { refundableRatesOnly: true }),
    ...(query.conditions?.boards && { boardType: listBoardCodes(query.conditions.boards).join() }),
    timeout: TIMEOUT_S.list,
    stream: true,
  })

export const encodeRooms = (config: LiteapiConfig, { vendorPropertyId, stay, market }: RoomsQuery): Call =>
  ratesCall('rooms', {
    hotelIds: [vendorPropertyId],
    ...stayBody(config, stay, market),
    maxRatesPerHotel: ROOMS_RATES_MAX,
    roomMapping: true,
    timeout: TIMEOUT_S.rooms,
  })

const ratesCall = (operation: string, body: object): Call => ({
  class: 'search',
  operation,
  method: 'POST',
  path: `${VERSION}/hotels/rates`,
  body,
  ifLost: 'none',
})

/** Currencies supported by the vendor. */
const CURRENCIES = new Set(
  'AED AUD BRL CAD CNY EUR FJD GBP HKD IDR INR JPY LKR MAD MNT MUR MXN MYR OMR PHP RUB SAR SGD THB TWD USD ZAR'.split(
    ' ',
  ),
)

/** One occupancy per room, in order. Unsupported currencies are priced in dollars and converted. */
const stayBody = ({ marginPercent }: LiteapiConfig, stay: Stay, { currency, countryCode }: Market) => ({
  checkin: stay.checkIn,
  checkout: stay.checkOut,
  currency: CURRENCIES.has(currency) ? currency : 'USD',
  guestNationality: countryCode,
  occupancies: stay.occupancies.map(({ adults, childrenAges }) => ({ adults, children: childrenAges })),
  margin: marginPercent,
})

export const encodePriceCheck = ({ offerId }: Pick<StayRef, 'offerId'>): Call => ({
  ...bookingCall('price_check', 'price_check', 'POST', `/rates/prebook?timeout=${TIMEOUT_S.prebook}`),
  body: { offerId, usePaymentSdk: false },
})

/** Never retried: without a response the outcome is unknown. */
export function encodeBook({ payment, businessPhone }: LiteapiConfig, order: BookOrder, prebookId: string): Call {
  const [lead] = order.guests
  const { email } = order.contact
  const phone = order.contact.phone || businessPhone
  const remarks = order.specialRequests.trim().slice(0, 1000)
  return {
    ...bookingCall('book', 'book', 'POST', `/rates/book?timeout=${TIMEOUT_S.book}`),
    body: {
      prebookId,
      clientReference: order.reference,
      holder: { firstName: cleanName(lead?.givenName), lastName: cleanName(lead?.familyName), email, phone },
      // Exactly one guest per room.
      guests: order.stay.occupancies.map((_, room) => {
        const guest = order.guests[room] ?? lead
        const name = { firstName: cleanName(guest?.givenName), lastName: cleanName(guest?.familyName) }
        return { occupancyNumber: room + 1, ...name, email, phone, ...(remarks !== '' && { remarks }) }
      }),
      payment: { method: payment },
    },
    ifLost: 'unknown',
  }
}

const cleanName = (name: string | undefined) => (name ?? '').trim().slice(0, 60)

/** No slash at the end of the path: that is a different operation. */
export const encodeFind = (reference: string): Call =>
  bookingCall(
    'manage',
    'find',
    'GET',
    `/bookings?${new URLSearchParams({ clientReference: reference, timeout: String(TIMEOUT_S.manage) })}`,
  )

/** With the slash at its end this is another operation than `encodeFind`. */
export const encodeBookingList = ({ from, to }: DaySpan, environment: LiteapiEnvironment): Call => {
  const query = { bookingStartDate: from, bookingEndDate: to, sandbox: environment === 'sandbox' ? '1' : '0' }
  return bookingCall('manage', 'list', 'GET', `/bookings/?${new URLSearchParams(query)}`)
}

export const encodeDetail = (bookingId: string): Call => bookingCall('manage', 'find', 'GET', bookingPath(bookingId))

export const encodeCancel = (bookingId: string): Call => ({
  ...bookingCall('manage', 'cancel', 'PUT', bookingPath(bookingId)),
  ifLost: 'unknown',
})

const bookingPath = (bookingId: string) => `/bookings/${encodeURIComponent(bookingId)}?timeout=${TIMEOUT_S.manage}`

const bookingCall = (callClass: CallClass, operation: string, method: Call['method'], path: string): Call => ({
  class: callClass,
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

export function encodeList(query: ListQuery): Call {
  const search = new URLSearchParams({ language: 'en', timeout: String(TIMEOUT_S.content) })
  if ('circle' in query) {
    search.set('latitude', String(query.circle.center.lat))
    search.set('longitude', String(query.circle.center.lon))
    search.set('radius', String(Math.max(RADIUS_MIN_M, Math.ceil(query.circle.radiusKm * 1000))))
  } else search.set('countryCode', query.country)
  search.set('offset', String(query.offset))
  if ('since' in query && query.since !== undefined) search.set('lastUpdatedAt', `${query.since}T00:00:00Z`)
  search.set('limit', String(Math.min(LIST_MAX, Math.max(1, query.limit))))
  return contentCall('content', `/data/hotels?${search}`)
}

/** Languages supported by the vendor. */
export const LITEAPI_LANGUAGES: ReadonlySet<string> = new Set(
  'ar bg ca cs da de el es et fi fr hr hu it ja lt lv nb nl pl pt ro ru sk sl sv tr uk zh'.split(' '),
)

export const encodeProperty = (id: string, language = 'en'): Call =>
  contentCall(
    'content',
    `/data/hotel?${new URLSearchParams({ hotelId: id, language, timeout: String(TIMEOUT_S.content) })}`,
  )

export const encodeCodeList = (list: 'countries' | 'facilities' | 'hotelTypes'): Call =>
  contentCall('code_list', `/data/${list}`)

const contentCall = (operation: string, path: string): Call => ({
  class: 'content',
  operation,
  method: 'GET',
  path: `${VERSION}${path}`,
  ifLost: 'none',
})
