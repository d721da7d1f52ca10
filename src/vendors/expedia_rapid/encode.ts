import type { Board } from '../../domain/offer.ts'
import { CATALOGUE_LANGUAGE } from '../../domain/property/property-texts.ts'
import { countNights, type Market, occupancyKey, type Stay } from '../../domain/stay.ts'
import type { PlainDate } from '../../lib/time/plain-date.ts'
import type { AvailabilityQuery, BookingLookup, BookOrder, Guest, RoomsQuery } from '../contract.ts'
import type { Call, CallClass } from '../transport/call.ts'
import type { Ring } from './circle-polygon.ts'
import { type ExpediaRapidConfig, RAPID_LOCALES } from './config.ts'

type Query = readonly (readonly [string, string | undefined])[]

/** Array parameters are repeated; a comma inside a value is data. */
function buildPath(path: string, query: Query): string {
  const given = query.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

const get = (callClass: CallClass, operation: string, path: string): Call => ({
  class: callClass,
  operation,
  method: 'GET',
  ifLost: 'none',
  path,
})

const profileQuery = (config: ExpediaRapidConfig): Query => [
  ['billing_terms', config.billingTerms],
  ['partner_point_of_sale', config.partnerPointOfSale],
  ['payment_terms', config.paymentTerms],
  ['platform_name', config.platformName],
]

/** Primary tags, such as `de`. */
export const RAPID_LANGUAGES: ReadonlySet<string> = new Set(RAPID_LOCALES.map((locale) => locale.slice(0, 2)))

/** The exact locale, else the first of the same language, else the configured one. */
export function chooseLocale(wanted: string, fallback: string): string {
  const folded = wanted.toLowerCase()
  const language = folded.split('-')[0] ?? ''
  return (
    RAPID_LOCALES.find((locale) => locale.toLowerCase() === folded) ??
    RAPID_LOCALES.find((locale) => language.length === 2 && locale.startsWith(`${language}-`)) ??
    fallback
  )
}

/**
 * Rapid rejects prices in other currencies. It also supports BRL and INR, but bookings in these need the guest's tax
 * number (`tax_registration_number`), which we do not collect.
 */
const CURRENCIES = new Set(
  (
    'AED ARS AUD CAD CHF CNY DKK EGP EUR GBP HKD IDR ILS JPY KRW MXN MYR NOK NZD PHP PLN RUB SAR SEK SGD THB TRY TWD USD ' +
    'VND ZAR'
  ).split(' '),
)

/** Falls back to USD; prices are then converted to the guest's currency. */
export const toSupportedMarket = (market: Market): Market =>
  CURRENCIES.has(market.currency) ? market : { ...market, currency: 'USD' }

/** Rates of each property in a search: spare ones for those that are not for sale or do not meet the conditions. */
const RATES_IN_SEARCH = { plain: 2, filtered: 4, unfiltered: 12 } as const
/** Rapid's upper limit; in practice this is all rates. */
const RATES_IN_ROOMS = 250

/** Several categories mean rates that have all of them, so several boards are selected from more rates instead. */
export function encodeAvailability(
  config: ExpediaRapidConfig,
  query: AvailabilityQuery,
  categories: ReadonlyMap<Board, string> = new Map(),
): Call {
  const { freeCancellation, boards = [] } = query.conditions ?? {}
  const [board] = boards
  const category = board === undefined || boards.length > 1 ? undefined : categories.get(board)
  const isUnfiltered = boards.length > 0 && category === undefined
  const isFiltered = freeCancellation === true || category !== undefined
  const size = isUnfiltered ? 'unfiltered' : isFiltered ? 'filtered' : 'plain'
  return shop(config, 'availability', {
    ...query,
    ids: query.vendorPropertyIds,
    ratesMax: RATES_IN_SEARCH[size],
    only: [
      ['include', 'rooms.rates.current_refundability'],
      ['filter', freeCancellation === true ? 'refundable' : undefined],
      ['amenity_category', category],
    ],
  })
}

export const encodeRateAmenities = (config: ExpediaRapidConfig): Call =>
  get(
    'content',
    'rate_amenities',
    buildPath('/v3/references/rate-amenities', [
      ['language', chooseLocale(CATALOGUE_LANGUAGE, config.language)],
      ...profileQuery(config),
    ]),
  )

export const encodeRooms = (config: ExpediaRapidConfig, query: RoomsQuery): Call =>
  shop(config, 'rooms', { ...query, ids: [query.vendorPropertyId], ratesMax: RATES_IN_ROOMS })

/**
 * Requests the best `ratesMax` rates of each property. Only rates that Expedia collects: rates that the property
 * collects need a card, and our bookings are on account.
 */
function shop(
  config: ExpediaRapidConfig,
  operation: string,
  query: { ids: readonly string[]; stay: Stay; market: Market; ratesMax: number; only?: Query },
): Call {
  const { stay, market } = query
  const load = query.ids.length * stay.occupancies.length * countNights(stay)
  const call = get(
    'search',
    operation,
    buildPath('/v3/properties/availability', [
      ['checkin', stay.checkIn],
      ['checkout', stay.checkOut],
      ['currency', market.currency],
      ['country_code', market.countryCode],
      ['language', chooseLocale(market.language, config.language)],
      ...stay.occupancies.map((occupancy) => ['occupancy', occupancyKey(occupancy)] as const),
      ...query.ids.map((id) => ['property_id', id] as const),
      ['rate_plan_count', String(query.ratesMax)],
      ['sales_channel', config.salesChannel],
      ['sales_environment', config.salesEnvironment],
      ['filter', 'expedia_collect'],
      ...(query.only ?? []),
      ...profileQuery(config),
    ]),
  )
  return { ...call, load }
}

/** Content fields. Rooms are more than half of the data. */
const LIST_FIELDS =
  'name address ratings location phone category checkin checkout attributes amenities images descriptions chain brand fees policies onsite_payments'
const CONTENT_FIELDS = `${LIST_FIELDS} rooms`

export function encodeContent(
  config: ExpediaRapidConfig,
  selection: {
    readonly ids?: readonly string[]
    readonly since?: PlainDate
    readonly withRooms?: boolean
    readonly language?: string | undefined
    /** Only ids, in small pages. */
    readonly onlyIds?: boolean
  },
): Call {
  const fields = selection.onlyIds ? 'property_id' : selection.withRooms === false ? LIST_FIELDS : CONTENT_FIELDS
  const { language = CATALOGUE_LANGUAGE } = selection
  const path = buildPath('/v3/properties/content', [
    ['language', chooseLocale(language, config.language)],
    ['supply_source', config.supplySource],
    ['date_updated_start', selection.since],
    ...fields.split(' ').map((field) => ['include', field] as const),
    ...(selection.ids ?? []).map((id) => ['property_id', id] as const),
    ...profileQuery(config),
  ])
  return get('content', 'content', path)
}

export const encodePage = (path: string): Call => get('content', 'content', path)

/** Requests the ids of all properties in a GeoJSON polygon. */
export function encodeGeography(config: ExpediaRapidConfig, ring: Ring): Call {
  const path = buildPath('/v3/properties/geography', [
    ['include', 'property_ids'],
    ['supply_source', config.supplySource],
    ...profileQuery(config),
  ])
  return {
    ...get('content', 'geography', path),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: { type: 'Polygon', coordinates: [ring] },
  }
}

export const encodePriceCheck = (path: string): Call => get('price_check', 'price_check', path)

export function encodeBook(config: ExpediaRapidConfig, order: BookOrder, path: string): Call {
  const { given_name, family_name, ...address } = config.billingContact
  const request = order.specialRequests.trim()
  return {
    class: 'book',
    operation: 'book',
    method: 'POST',
    ifLost: 'unknown',
    path,
    headers: { 'content-type': 'application/json' },
    body: {
      affiliate_reference_id: order.reference,
      hold: false,
      email: order.contact.email,
      phone: splitPhone(order.contact.phone, config.businessPhone),
      rooms: order.guests.map((guest) => ({
        given_name: cleanName(guest.givenName),
        family_name: cleanName(guest.familyName),
        smoking: false,
        ...(request === '' ? {} : { special_request: request }),
      })),
      payments: [{ type: 'affiliate_collect', billing_contact: { given_name, family_name, address } }],
    },
  }
}

const NAME_MAX = 60
const cleanName = (name: string): string => name.replace(/\s+/g, ' ').trim().slice(0, NAME_MAX)

/** Looks up by our own reference; Rapid requires the booking's e-mail too. */
export const encodeFind = (config: ExpediaRapidConfig, { reference, email }: BookingLookup): Call =>
  get(
    'manage',
    'find',
    buildPath('/v3/itineraries', [['affiliate_reference_id', reference], ['email', email], ...profileQuery(config)]),
  )

export const encodeRetrieve = (config: ExpediaRapidConfig, itineraryId: string, email: string): Call =>
  get(
    'manage',
    'retrieve',
    buildPath(`/v3/itineraries/${encodeURIComponent(itineraryId)}`, [['email', email], ...profileQuery(config)]),
  )

export const encodeFollow = (path: string): Call => get('manage', 'retrieve', path)

export const encodeCancel = (path: string): Call => ({
  ...get('manage', 'cancel', path),
  method: 'DELETE',
  ifLost: 'unknown',
})

export const encodeChange = (path: string, { givenName, familyName }: Guest, specialRequest: string): Call => ({
  ...get('manage', 'change', path),
  method: 'PUT',
  ifLost: 'unknown',
  headers: { 'content-type': 'application/json' },
  body: { given_name: cleanName(givenName), family_name: cleanName(familyName), special_request: specialRequest },
})

type SplitPhone = { readonly country_code: string; readonly area_code?: string; readonly number: string }

/** Calling codes of two digits; 1 and 7 have one, all others three (ITU E.164). */
const TWO_DIGITS = new Set(
  (
    '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 ' +
    '81 82 84 86 90 91 92 93 94 95 98'
  ).split(' '),
)
/** Limit of E.164; Rapid accepts 25 characters over all parts. */
const DIGITS_MAX = 15

/**
 * Splits a telephone number into Rapid's parts. A number without a country code gets that of the business phone; one
 * that is too short is replaced by the business phone.
 */
export function splitPhone(phone: string, businessPhone: string): SplitPhone {
  const normalized = phone.trim().replace(/^00/, '+')
  const digits = normalized.replace(/\D/g, '').slice(0, DIGITS_MAX)
  const business = businessPhone.replace(/\D/g, '')
  if (digits.length < 5) return splitDigits(business)
  if (normalized.startsWith('+')) return splitDigits(digits)
  return splitDigits(`${readCountryCode(business)}${digits.replace(/^0/, '')}`.slice(0, DIGITS_MAX))
}

function splitDigits(digits: string): SplitPhone {
  const country_code = readCountryCode(digits)
  const national = digits.slice(country_code.length)
  if (country_code !== '1' || national.length !== 10) return { country_code, number: national }
  return { country_code, area_code: national.slice(0, 3), number: national.slice(3) }
}

function readCountryCode(digits: string): string {
  if (digits.startsWith('1') || digits.startsWith('7')) return digits.slice(0, 1)
  return TWO_DIGITS.has(digits.slice(0, 2)) ? digits.slice(0, 2) : digits.slice(0, 3)
}
