import { type FieldError, invalidRequest } from '../domain/app-error.ts'
import type { BookingGuest, BookingPersons } from '../domain/booking.ts'
import { EMAIL } from '../lib/email.ts'
import { withoutNulls } from '../lib/without-nulls.ts'
import { refuseCardNumbers } from './card-numbers.ts'

export const RESERVED = ['guests', 'contact', 'special_requests', 'accept_price_up_to', 'client_reference'] as const

export type BookRequest = {
  /** What is left after the reserved names: the room's `booking_info` as it came. */
  readonly bookingInfo: Readonly<Record<string, unknown>>
  readonly guests: readonly BookingGuest[]
  readonly contact: { readonly email: string; readonly phone: string }
  readonly specialRequests: string
  readonly acceptPriceUpTo: number | undefined
  readonly clientReference: string | undefined
}

const PHONE = /^\+?[\d ()./-]{5,25}$/
/** Vendors refuse these in names and references; control characters have no business in either. */
const UNWELCOME = /[<>()&\p{Cc}]/u

/** Reads the body of a booking: every wrong field at once, card numbers never. */
export function readBookRequest(body: unknown): BookRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest([
      { field: 'body', code: 'wrong_type', message: 'The body must be a room’s booking_info, an object.' },
    ])
  }
  const sent = withoutNulls(body)
  const { price_check_uri: _sealed, ...readable } = sent
  refuseCardNumbers(readable)
  const errors: FieldError[] = []
  const request = {
    bookingInfo: Object.fromEntries(
      Object.entries(sent).filter(([name]) => !(RESERVED as readonly string[]).includes(name)),
    ),
    guests: readGuests(sent.guests, errors),
    contact: readContact(sent.contact, errors),
    specialRequests: readText(sent, 'special_requests', 1000, errors) ?? '',
    acceptPriceUpTo: readPrice(sent.accept_price_up_to, errors),
    clientReference: readText(sent, 'client_reference', 64, errors),
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return request
}

/** Without guests the account holder is the lead guest of every room. */
export function personsOf(
  request: BookRequest,
  holder: { name: string; email: string },
  rooms: number,
): BookingPersons {
  if (request.guests.length > rooms) {
    const message = `guests has ${request.guests.length} entries, but the offer is for ${rooms} room(s): one lead guest a room.`
    throw invalidRequest([{ field: 'guests', code: 'too_many', message }])
  }
  const lead = request.guests[0] ?? guestFromName(holder.name, holder.email)
  const guests = Array.from({ length: rooms }, (_, room) => request.guests[room] ?? lead)
  return {
    guests,
    contact: {
      email: request.contact.email || lead.email || holder.email,
      phone: request.contact.phone || lead.phone,
    },
    specialRequests: request.specialRequests,
  }
}

function guestFromName(name: string, email: string): BookingGuest {
  const words = name.trim().split(/\s+/)
  const familyName = words.length > 1 ? (words.at(-1) ?? name) : name
  return { givenName: words.length > 1 ? words.slice(0, -1).join(' ') : name, familyName, email, phone: '' }
}

function readGuests(value: unknown, errors: FieldError[]): BookingGuest[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > 8) {
    errors.push({
      field: 'guests',
      code: 'wrong_type',
      message: 'guests must be a list of at most 8 lead guests, one a room.',
    })
    return []
  }
  return value.map((guest: unknown, at) => {
    const field = `guests[${at}]`
    if (typeof guest !== 'object' || guest === null || Array.isArray(guest)) {
      errors.push({ field, code: 'wrong_type', message: `${field} must be an object with given_name and family_name.` })
      return { givenName: '', familyName: '', email: '', phone: '' }
    }
    const { given_name, family_name, email, phone } = withoutNulls(guest)
    return {
      givenName: readName(given_name, `${field}.given_name`, errors),
      familyName: readName(family_name, `${field}.family_name`, errors),
      email: readMatching(email, `${field}.email`, EMAIL, 'an e-mail such as name@example.com', errors),
      phone: readMatching(phone, `${field}.phone`, PHONE, 'a phone number such as +33 1 23 45 67 89', errors),
    }
  })
}

function readContact(value: unknown, errors: FieldError[]): { email: string; phone: string } {
  if (value === undefined) return { email: '', phone: '' }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    errors.push({ field: 'contact', code: 'wrong_type', message: 'contact must be an object with email and phone.' })
    return { email: '', phone: '' }
  }
  const { email, phone } = withoutNulls(value)
  return {
    email: readMatching(email, 'contact.email', EMAIL, 'an e-mail such as name@example.com', errors),
    phone: readMatching(phone, 'contact.phone', PHONE, 'a phone number such as +33 1 23 45 67 89', errors),
  }
}

function readName(value: unknown, field: string, errors: FieldError[]): string {
  if (typeof value !== 'string' || value.trim() === '') {
    errors.push({ field, code: 'required', message: `${field} is missing.` })
    return ''
  }
  if (value.length > 60 || UNWELCOME.test(value)) {
    errors.push({
      field,
      code: 'wrong_format',
      message: `${field} must be a name of at most 60 characters, as in the passport.`,
    })
  }
  return value.trim()
}

function readMatching(value: unknown, field: string, shape: RegExp, wanted: string, errors: FieldError[]): string {
  if (value === undefined || value === '') return ''
  if (typeof value !== 'string' || value.length > 254 || !shape.test(value)) {
    errors.push({ field, code: 'wrong_format', message: `${field} must be ${wanted}.` })
    return ''
  }
  return value.trim()
}

function readText(
  sent: Record<string, unknown>,
  field: string,
  most: number,
  errors: FieldError[],
): string | undefined {
  const value = sent[field]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > most || /[\p{Cc}--[\n\r\t]]/v.test(value)) {
    errors.push({ field, code: 'wrong_format', message: `${field} must be a text of at most ${most} characters.` })
    return undefined
  }
  return value
}

function readPrice(value: unknown, errors: FieldError[]): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
    errors.push({
      field: 'accept_price_up_to',
      code: 'wrong_type',
      message: 'accept_price_up_to must be a positive number.',
    })
    return undefined
  }
  return value
}
