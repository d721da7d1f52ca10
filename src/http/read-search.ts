import { isIP } from 'node:net'
import { type FieldError, invalidRequest } from '../domain/app-error.ts'
import { isCurrency } from '../domain/currency.ts'
import type { Occupancy } from '../domain/stay.ts'
import { STAY_BOUNDS } from '../domain/stay.ts'
import { isUuid } from '../lib/ids.ts'
import { nearestWord } from '../lib/nearest-word.ts'
import { daysBetween, isPlainDate } from '../lib/plain-date.ts'
import { withoutNulls } from '../lib/without-nulls.ts'
import type { SearchAsked } from '../search/search-terms.ts'

export const TIMEOUT = { min: 500, max: 15_000, default: 5_000 } as const
const RADIUS = { min: 0.5, max: 100 } as const
const FIELDS = [
  'destination_id',
  'check_in',
  'check_out',
  'occupancies',
  'customer_ip',
  'currency',
  'language',
  'country_code',
  'radius_km',
  'vendors',
  'timeout_ms',
]
const OCCUPANCY_FIELDS = ['adults', 'children_ages']
const WARNINGS_MAX = 10

/** Reads a search and notes everything that is wrong with it; the destination's part is judged with it, so nothing is thrown yet. */
export function readSearch(body: unknown, knownVendors: readonly string[]): SearchAsked {
  const errors: FieldError[] = []
  const wrong = (field: string, code: string, message: string) => errors.push({ field, code, message })
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([
      {
        field: 'body',
        code: 'wrong_type',
        message: 'The body must be an object with destination_id, check_in, check_out and occupancies.',
      },
    ])
  }
  const sent = withoutNulls(body)

  const destinationId = text(sent.destination_id)
  if (sent.destination_id === undefined)
    wrong('destination_id', 'required', 'destination_id is missing: send the id of a location.')
  else if (destinationId === undefined || !isUuid(destinationId)) {
    wrong('destination_id', 'wrong_format', 'destination_id must be the id of a location, a UUID.')
  }
  const checkIn = readDate(sent, 'check_in', wrong)
  const checkOut = readDate(sent, 'check_out', wrong)
  if (checkIn !== undefined && checkOut !== undefined) {
    const nights = daysBetween(checkIn, checkOut)
    if (nights < 1)
      wrong('check_out', 'check_out_not_after_check_in', 'check_out must be at least one night after check_in.')
    else if (nights > STAY_BOUNDS.nightsMax)
      wrong(
        'check_out',
        'too_many_nights',
        `A stay has at most ${STAY_BOUNDS.nightsMax} nights; this one has ${nights}.`,
      )
  }
  const occupancies = readOccupancies(sent.occupancies, wrong)
  const options = readOptions(sent, knownVendors, wrong)
  return {
    errors,
    destinationId: destinationId ?? '',
    checkIn: checkIn ?? '',
    checkOut: checkOut ?? '',
    occupancies,
    ...options,
    warnings: warningsFor(body as Record<string, unknown>),
  }
}

type Wrong = (field: string, code: string, message: string) => void

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

function readDate(sent: Record<string, unknown>, field: string, wrong: Wrong): string | undefined {
  const value = sent[field]
  if (value === undefined) wrong(field, 'required', `${field} is missing: send a date as YYYY-MM-DD.`)
  else if (typeof value !== 'string') wrong(field, 'wrong_type', `${field} must be a text, a date as YYYY-MM-DD.`)
  else if (!isPlainDate(value)) wrong(field, 'not_a_date', `${field} must be a day of the calendar as YYYY-MM-DD.`)
  else return value
  return undefined
}

function readOccupancies(value: unknown, wrong: Wrong): Occupancy[] {
  const { roomsMax } = STAY_BOUNDS
  if (value === undefined)
    wrong('occupancies', 'required', 'occupancies is missing: send one entry a room, such as [{"adults": 2}].')
  else if (!Array.isArray(value)) wrong('occupancies', 'wrong_type', 'occupancies must be a list, one entry a room.')
  else if (value.length === 0) wrong('occupancies', 'too_few_rooms', 'A search needs at least one room.')
  else if (value.length > roomsMax)
    wrong('occupancies', 'too_many_rooms', `A search has at most ${roomsMax} rooms; this one has ${value.length}.`)
  else return value.map((one, at) => readOccupancy(one, `occupancies[${at}]`, wrong))
  return []
}

function readOccupancy(value: unknown, field: string, wrong: Wrong): Occupancy {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    wrong(field, 'wrong_type', `${field} must be an object with adults.`)
    return { adults: 0, childrenAges: [] }
  }
  const { adults, children_ages: ages = [] } = withoutNulls(value)
  const { adultsMax, childrenMax, childAgeMax } = STAY_BOUNDS
  if (adults === undefined) wrong(`${field}.adults`, 'required', `${field}.adults is missing.`)
  else if (typeof adults !== 'number' || !Number.isInteger(adults))
    wrong(`${field}.adults`, 'wrong_type', `${field}.adults must be a whole number.`)
  else if (adults < 1) wrong(`${field}.adults`, 'too_few_adults', 'A room needs at least one adult.')
  else if (adults > adultsMax) wrong(`${field}.adults`, 'too_many_adults', `A room takes at most ${adultsMax} adults.`)
  if (!Array.isArray(ages)) {
    wrong(`${field}.children_ages`, 'wrong_type', `${field}.children_ages must be a list with the age of each child.`)
    return { adults: Number(adults), childrenAges: [] }
  }
  if (ages.length > childrenMax)
    wrong(`${field}.children_ages`, 'too_many_children', `A room takes at most ${childrenMax} children.`)
  ages.slice(0, 20).forEach((age: unknown, child) => {
    const at = `${field}.children_ages[${child}]`
    if (typeof age !== 'number' || !Number.isInteger(age))
      wrong(at, 'wrong_type', `${at} must be a whole number of years.`)
    else if (age < 0 || age > childAgeMax)
      wrong(at, 'child_age_out_of_range', `A child is 0 to ${childAgeMax} years old; count older ones as adults.`)
  })
  return { adults: Number(adults), childrenAges: ages as number[] }
}

function readOptions(sent: Record<string, unknown>, knownVendors: readonly string[], wrong: Wrong) {
  const currency = sent.currency ?? 'USD'
  if (typeof currency !== 'string' || !isCurrency(currency))
    wrong('currency', 'unknown_currency', 'currency must be an ISO 4217 code in capitals, such as EUR.')
  const language = sent.language ?? 'en-US'
  if (typeof language !== 'string' || !/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language)) {
    wrong('language', 'wrong_format', 'language must be a BCP 47 tag, such as en-US.')
  }
  const countryCode = sent.country_code ?? 'US'
  if (typeof countryCode !== 'string' || !/^[A-Z]{2}$/.test(countryCode))
    wrong('country_code', 'wrong_format', 'country_code must be two capitals, such as FR.')
  const ip = sent.customer_ip
  if (ip !== undefined && (typeof ip !== 'string' || isIP(ip) === 0))
    wrong('customer_ip', 'not_an_ip_address', 'customer_ip must be an IPv4 or IPv6 address.')
  const radius = sent.radius_km
  if (radius !== undefined && (typeof radius !== 'number' || !(radius >= RADIUS.min && radius <= RADIUS.max))) {
    wrong('radius_km', 'out_of_range', `radius_km must be a number from ${RADIUS.min} to ${RADIUS.max}.`)
  }
  const timeout = sent.timeout_ms ?? TIMEOUT.default
  if (typeof timeout !== 'number' || !Number.isInteger(timeout) || timeout < TIMEOUT.min || timeout > TIMEOUT.max) {
    wrong('timeout_ms', 'out_of_range', `timeout_ms must be a whole number from ${TIMEOUT.min} to ${TIMEOUT.max}.`)
  }
  const { vendors } = sent
  const unknown = Array.isArray(vendors) ? vendors.filter((id) => !knownVendors.includes(id as string)) : []
  if (vendors !== undefined && (!Array.isArray(vendors) || vendors.length === 0 || unknown.length > 0)) {
    wrong('vendors', 'unknown_vendor', `vendors must be a list of ${knownVendors.join(', ')}.`)
  }
  return {
    currency: currency as string,
    language: language as string,
    countryCode: countryCode as string,
    customerIp: ip as string | undefined,
    radiusKm: radius as number | undefined,
    timeoutMs: timeout as number,
    vendorIds: vendors as string[] | undefined,
  }
}

/** Fields we do not know are ignored, but not in silence: most of them are typing errors. */
function warningsFor(sent: Record<string, unknown>): string[] {
  const rooms: unknown[] = Array.isArray(sent.occupancies) ? sent.occupancies.slice(0, STAY_BOUNDS.roomsMax) : []
  return [
    ...strangersIn(sent, FIELDS, ''),
    ...rooms.flatMap((room, at) => strangersIn(room, OCCUPANCY_FIELDS, `occupancies[${at}].`)),
  ].slice(0, WARNINGS_MAX)
}

function strangersIn(sent: unknown, known: readonly string[], path: string): string[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return []
  return Object.keys(sent)
    .filter((name) => !known.includes(name))
    .slice(0, WARNINGS_MAX)
    .map((name) => {
      const near = nearestWord(name.slice(0, 40), known)
      return `\`${path}${name.slice(0, 40)}\` was ignored${near === undefined ? '' : `; did you mean \`${near}\`?`}`
    })
}
