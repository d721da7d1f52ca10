import { type Market, occupancyKey, type Stay } from '../../domain/stay.ts'
import type { Circle } from '../../lib/geo.ts'
import type { PlainDate } from '../../lib/plain-date.ts'
import type { Call } from '../call.ts'
import type { BookingLookup, BookOrder } from '../contract.ts'
import type { ListShape } from '../read-in-pieces.ts'
import type { ExpediaRapidConfig } from './config.ts'
import { splitPhone } from './split-phone.ts'
import { CONTENT_FIELDS } from './wire.ts'

type Query = readonly (readonly [string, string | undefined])[]

/** Array parameters are repeated; a comma inside a value is data. */
function pathOf(path: string, query: Query): string {
  let text = ''
  for (const [name, value] of query)
    if (value !== undefined) text += `${text === '' ? '?' : '&'}${name}=${encoded(value)}`
  return path + text
}

const PLAIN = /^[\w.-]*$/

/** Nearly all of an availability call are numbers of properties, which stand for themselves. */
const encoded = (value: string): string =>
  PLAIN.test(value) ? value : new URLSearchParams([['', value]]).toString().slice(1)

const profileOf = (config: ExpediaRapidConfig): Query => [
  ['billing_terms', config.billingTerms],
  ['partner_point_of_sale', config.partnerPointOfSale],
  ['payment_terms', config.paymentTerms],
  ['platform_name', config.platformName],
]

/** The only languages Rapid answers in; it refuses a call that asks for another. */
const LANGUAGES =
  'ar-SA cs-CZ da-DK de-DE el-GR en-US es-ES es-MX fi-FI fr-CA fr-FR hr-HR hu-HU id-ID is-IS it-IT ja-JP lt-LT ko-KR ' +
  'ms-MY nb-NO nl-NL pl-PL pt-BR pt-PT ru-RU sk-SK sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-TW'
const SPOKEN = LANGUAGES.split(' ')

/** The exact language, else the first of the same tongue, else the configured one. */
export function languageOf(wanted: string, fallback: string): string {
  const folded = wanted.toLowerCase()
  const tongue = folded.split('-')[0] ?? ''
  return (
    SPOKEN.find((language) => language.toLowerCase() === folded) ??
    SPOKEN.find((language) => tongue.length === 2 && language.startsWith(`${tongue}-`)) ??
    fallback
  )
}

const PROPERTIES: ListShape = { path: [], opening: '[', item: '{"property_id":' }

/**
 * Prices of named properties. `ratesMax` is the best N rates of each; only rates that Expedia collects are asked for,
 * because a rate the property collects wants a card and bookings here are on account.
 */
export function encodeAvailability(
  config: ExpediaRapidConfig,
  query: { ids: readonly string[]; stay: Stay; market: Market; ratesMax: number; operation: string },
): Call {
  const { stay, market } = query
  return {
    class: 'search',
    operation: query.operation,
    method: 'GET',
    ifLost: 'none',
    list: PROPERTIES,
    path: pathOf('/v3/properties/availability', [
      ['checkin', stay.checkIn],
      ['checkout', stay.checkOut],
      ['currency', market.currency],
      ['country_code', market.countryCode],
      ['language', languageOf(market.language, config.language)],
      ...stay.occupancies.map((occupancy) => ['occupancy', occupancyKey(occupancy)] as const),
      ...query.ids.map((id) => ['property_id', id] as const),
      ['rate_plan_count', String(query.ratesMax)],
      ['sales_channel', config.salesChannel],
      ['sales_environment', config.salesEnvironment],
      ['filter', 'expedia_collect'],
      ...profileOf(config),
    ]),
  }
}

const contentCall = (operation: string, path: string): Call => ({
  class: 'content',
  operation,
  method: 'GET',
  ifLost: 'none',
  path,
})

export function encodeContent(
  config: ExpediaRapidConfig,
  which: { readonly ids?: readonly string[]; readonly since?: PlainDate },
): Call {
  const path = pathOf('/v3/properties/content', [
    ['language', config.language],
    ['supply_source', config.supplySource],
    ['date_updated_start', which.since],
    ...CONTENT_FIELDS.map((field) => ['include', field] as const),
    ...(which.ids ?? []).map((id) => ['property_id', id] as const),
    ...profileOf(config),
  ])
  return contentCall('content', path)
}

/** Follows a page link as it was given. */
export const encodePage = (operation: string, path: string): Call => contentCall(operation, path)

/** Rapid takes whole kilometres only. */
export function encodeRegions(config: ExpediaRapidConfig, { center, radiusKm }: Circle): Call {
  const path = pathOf('/v3/regions', [
    ['include', 'property_ids'],
    ['language', config.language],
    ['area', `${Math.ceil(radiusKm)},${center.lat.toFixed(6)},${center.lon.toFixed(6)}`],
    ['supply_source', config.supplySource],
    ...profileOf(config),
  ])
  return contentCall('regions', path)
}

export const encodePriceCheck = (path: string): Call => ({
  class: 'price_check',
  operation: 'price_check',
  method: 'GET',
  ifLost: 'none',
  path,
})

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
        given_name: nameOf(guest.givenName),
        family_name: nameOf(guest.familyName),
        smoking: false,
        ...(request === '' ? {} : { special_request: request }),
      })),
      payments: [{ type: 'affiliate_collect', billing_contact: { given_name, family_name, address } }],
    },
  }
}

const NAME_MAX = 60
const nameOf = (name: string): string => name.replace(/\s+/g, ' ').trim().slice(0, NAME_MAX)

const manageCall = (operation: string, path: string): Call => ({
  class: 'manage',
  operation,
  method: 'GET',
  ifLost: 'none',
  path,
})

/** By our own reference; Rapid wants the booking's e-mail beside it. */
export const encodeFind = ({ reference, email }: BookingLookup): Call =>
  manageCall(
    'find',
    pathOf('/v3/itineraries', [
      ['affiliate_reference_id', reference],
      ['email', email],
    ]),
  )

export const encodeRetrieve = (itineraryId: string, email: string): Call =>
  manageCall('retrieve', pathOf(`/v3/itineraries/${encodeURIComponent(itineraryId)}`, [['email', email]]))

export const encodeFollow = (path: string): Call => manageCall('retrieve', path)

export const encodeCancel = (path: string): Call => ({
  class: 'manage',
  operation: 'cancel',
  method: 'DELETE',
  ifLost: 'unknown',
  path,
})
