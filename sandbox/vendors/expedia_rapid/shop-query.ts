import type { Occupancy } from '../../../src/domain/stay.ts'
import { addDays, daysBetween, isPlainDate, type PlainDate } from '../../../src/lib/time/plain-date.ts'
import { type NestedError, nested } from './vendor-words.ts'

/** Availability query; also stored in a price-check link. */
export type ShopQuery = {
  readonly checkIn: PlainDate
  readonly checkOut: PlainDate
  readonly currency: string
  /** One per room, in the order of the request. */
  readonly occupancies: readonly string[]
  /** Absent in bookings made before it was stored. */
  readonly language?: string
  /** Partner profile of the request, if any. */
  readonly profile?: string
}

const PROFILE = ['billing_terms', 'partner_point_of_sale', 'payment_terms', 'platform_name']
export const readProfile = (query: URLSearchParams): string =>
  PROFILE.flatMap((name) => (query.has(name) ? `${name}=${query.get(name)}` : [])).join('&')

const NIGHTS_MAX = 28
const LEAD_DAYS_MAX = 365
const IDS_MAX = 250
const ROOMS_MAX = 8
const ADULTS_MAX = 8
const RATES_MAX = 250
const OCCUPANCY = /^(\d{1,2})(?:-(\d{1,2}(?:,\d{1,2})*))?$/
const CHANNELS = ['website', 'agent_tool', 'mobile_app', 'mobile_web', 'meta', 'cache']
const ENVIRONMENTS = ['hotel_package', 'hotel_only', 'loyalty']
const FILTERS = ['refundable', 'expedia_collect', 'property_collect', 'loyalty']
/** The vendor's own list of languages. */
const LANGUAGES = new Set(
  (
    'ar-SA cs-CZ da-DK de-DE el-GR en-US es-ES es-MX fi-FI fr-CA fr-FR hr-HR hu-HU id-ID is-IS it-IT ja-JP ko-KR lt-LT ' +
    'ms-MY nb-NO nl-NL pl-PL pt-BR pt-PT ru-RU sk-SK sv-SE th-TH tr-TR uk-UA vi-VN zh-CN zh-TW'
  ).split(' '),
)
/** Currencies that the vendor supports. */
const CURRENCIES = new Set(
  (
    'AED ARS AUD BRL CAD CHF CNY DKK EGP EUR GBP HKD IDR ILS INR JPY KRW MXN MYR NOK NZD PHP PLN RUB SAR SEK SGD THB TRY ' +
    'TWD USD VND ZAR'
  ).split(' '),
)
export const isLanguage = (value: string): boolean => LANGUAGES.has(value)

export function parseOccupancy(text: string): Occupancy | undefined {
  const parts = OCCUPANCY.exec(text)
  if (parts === null) return undefined
  return { adults: Number(parts[1]), childrenAges: parts[2] === undefined ? [] : parts[2].split(',').map(Number) }
}

/** All errors of the query, in Rapid's format. */
export function shopErrors(query: URLSearchParams, today: PlainDate): NestedError[] {
  return [
    ...dateErrors(query, today),
    ...listErrors(query),
    ...query.getAll('occupancy').flatMap(occupancyErrors),
    ...wordErrors(query),
  ]
}

const queryError = (type: string, message: string, name: string, value?: string | null): NestedError =>
  nested(type, message, name, 'querystring', value ?? undefined)

function dateErrors(query: URLSearchParams, today: PlainDate): NestedError[] {
  const errors: NestedError[] = []
  for (const name of ['checkin', 'checkout']) {
    const value = query.get(name)
    if (value === null) errors.push(queryError(`${name}.required`, `${name} is required.`, name))
    else if (!isPlainDate(value)) {
      errors.push(
        queryError(`${name}.invalid_date_format`, `Invalid ${name} format. It must be YYYY-mm-dd.`, name, value),
      )
    }
  }
  if (errors.length > 0) return errors
  const [checkIn, checkOut] = [query.get('checkin') ?? '', query.get('checkout') ?? '']
  // Accepts one day earlier, because it may still be yesterday at the property.
  if (checkIn < addDays(today, -1)) {
    errors.push(queryError('checkin.invalid_date_in_the_past', 'Checkin cannot be in the past.', 'checkin', checkIn))
  }
  if (daysBetween(today, checkIn) > LEAD_DAYS_MAX + 1) {
    errors.push(queryError('checkin.invalid_date_too_far_out', 'Checkin too far in the future.', 'checkin', checkIn))
  }
  const nights = daysBetween(checkIn, checkOut)
  if (nights < 1) {
    const message = 'Checkout must be after checkin.'
    errors.push(queryError('checkout.invalid_checkout_before_checkin', message, 'checkout', checkOut))
  }
  if (nights > NIGHTS_MAX) {
    const message = `Checkin and checkout dates cannot differ by more than ${NIGHTS_MAX} days.`
    errors.push(queryError('checkout.invalid_length_of_stay_too_long', message, 'checkout', checkOut))
  }
  return errors
}

function listErrors(query: URLSearchParams): NestedError[] {
  const errors: NestedError[] = []
  const ids = query.getAll('property_id')
  if (ids.length === 0) errors.push(queryError('property_id.required', 'A property_id is required.', 'property_id'))
  if (ids.length > IDS_MAX) {
    const message = `A maximum of ${IDS_MAX} property_id query parameters may be provided to this request.`
    errors.push(queryError('property_id.above_maximum', message, 'property_id'))
  }
  const rooms = query.getAll('occupancy').length
  if (rooms === 0) errors.push(queryError('occupancy.required', 'Occupancy is required.', 'occupancy'))
  if (rooms > ROOMS_MAX) {
    const message = 'Number of occupancies must be less than 9.'
    errors.push(queryError('number_of_occupancies.invalid_above_maximum', message, 'occupancy', String(rooms)))
  }
  const rates = query.get('rate_plan_count')
  if (rates === null || !/^\d{1,3}$/.test(rates) || Number(rates) < 1 || Number(rates) > RATES_MAX) {
    const type = rates === null ? 'rate_plan_count.required' : 'rate_plan_count.invalid'
    errors.push(queryError(type, `rate_plan_count must be between 1 and ${RATES_MAX}.`, 'rate_plan_count', rates))
  }
  return errors
}

function occupancyErrors(text: string): NestedError[] {
  const occupancy = parseOccupancy(text)
  if (occupancy === undefined) return [queryError('occupancy.invalid', 'Occupancy is invalid.', 'occupancy', text)]
  if (occupancy.adults < 1) {
    return [queryError('number_of_adults.invalid_below_minimum', 'At least one adult is required.', 'occupancy', text)]
  }
  if (occupancy.adults > ADULTS_MAX) {
    return [queryError('number_of_adults.invalid_above_maximum', `At most ${ADULTS_MAX} adults.`, 'occupancy', text)]
  }
  if (occupancy.childrenAges.some((age) => age > 17)) {
    return [queryError('child_age.invalid_outside_accepted_range', 'Child age must be 0 to 17.', 'occupancy', text)]
  }
  return []
}

function wordErrors(query: URLSearchParams): NestedError[] {
  const check = (name: string, isValid: (value: string) => boolean, reason: string): NestedError[] => {
    const value = query.get(name)
    if (value === null) return [queryError(`${name}.required`, `${name} is required.`, name)]
    return isValid(value) ? [] : [queryError(`${name}.${reason}`, `${name} is not supported.`, name, value)]
  }
  return [
    ...check('currency', (value) => CURRENCIES.has(value), 'not_supported'),
    ...check('country_code', (value) => /^[A-Z]{2}$/.test(value), 'invalid'),
    ...check('language', isLanguage, 'not_supported'),
    ...check('sales_channel', (value) => CHANNELS.includes(value), 'invalid'),
    ...check('sales_environment', (value) => ENVIRONMENTS.includes(value), 'invalid'),
    ...query
      .getAll('filter')
      .flatMap((value) =>
        FILTERS.includes(value) ? [] : queryError('filter.invalid', 'Filter is invalid.', 'filter', value),
      ),
  ]
}
