import type { BookingGuest, BookingPersons } from '../../domain/booking/booking.ts'
import { AppError, invalidRequest } from '../../domain/errors.ts'

export type BookRequest = {
  /** The room's `booking_info` as received. */
  readonly bookingInfo: Readonly<Record<string, unknown>>
  readonly guests: readonly BookingGuest[]
  readonly contact: { readonly email: string; readonly phone: string }
  readonly specialRequests: string
  readonly acceptPriceUpTo: number | undefined
  /** From the price check whose terms were accepted. */
  readonly termsDigest: string | undefined
  /** Card payment made for the offer. */
  readonly paymentId: string | undefined
  readonly clientReference: string | undefined
  /** Equal for equal requests. */
  readonly fingerprint: string
}

/** Defaults to the account holder as lead guest, unless guests are required or the caller has no account. */
export function resolvePersons(
  request: BookRequest,
  holder: { readonly name: string; readonly email: string; readonly isGuest?: boolean },
  rooms: number,
  requireGuests: boolean,
): BookingPersons {
  const isGuest = holder.isGuest === true
  if ((requireGuests || isGuest) && request.guests.length === 0) throw guestsRequired()
  refuseTooManyGuests(request.guests, rooms)
  const lead = request.guests[0] ?? guestFromName(holder.name, holder.email)
  if (isGuest && !request.contact.email && !lead.email) throw emailRequired()
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

export function refuseTooManyGuests(guests: readonly unknown[], rooms: number): void {
  if (guests.length <= rooms) return
  const message = `guests has ${guests.length} entries, but the offer is for ${rooms} room(s): one lead guest per room.`
  throw invalidRequest([{ field: 'guests', code: 'too_many', message }])
}

/** Stored with the persons, because background calls are made for the same customer. */
export function withCustomerIp(
  persons: BookingPersons,
  offer: { readonly customerIp?: string },
  context: { readonly customerIp?: string },
): BookingPersons {
  const customerIp = offer.customerIp ?? context.customerIp
  return customerIp === undefined ? persons : { ...persons, customerIp }
}

function guestsRequired(): AppError {
  const message = 'guests is missing. Name the lead guest of each room.'
  return new AppError('guests_required', 'This service requires named guests. Nothing was booked.', {
    errors: [{ field: 'guests', code: 'required', message }],
  })
}

/** A guest without an account can be reached, and get the voucher, only by e-mail. */
function emailRequired(): AppError {
  const message = 'guests[0].email is missing. Without an account, the lead guest needs an e-mail address.'
  return invalidRequest([{ field: 'guests[0].email', code: 'required', message }])
}

function guestFromName(name: string, email: string): BookingGuest {
  const words = name.trim().split(/\s+/)
  const familyName = words.length > 1 ? (words.at(-1) ?? name) : name
  return { givenName: words.length > 1 ? words.slice(0, -1).join(' ') : name, familyName, email, phone: '' }
}
