import type { BookingGuest } from '../../domain/booking/booking.ts'
import { computeFingerprint } from '../fingerprint.ts'
import { refuseCardNumbers } from '../guests/card-numbers.ts'
import type { BookRequest } from '../guests/persons.ts'
import { isTermsDigest } from '../offer/terms-digest.ts'
import type { BookBody } from '../schemas/bookings.ts'

/** Runs before validation: a card number must not come back in an error. */
export function refuseCards(body: unknown): void {
  // The sealed offer is ours and may contain such digits by chance.
  const { price_check_uri: _sealed, terms_digest: digest, ...readable } = Object(body)
  refuseCardNumbers(isTermsDigest(digest) ? readable : { terms_digest: digest, ...readable })
}

/** Everything beside the reserved names is the room's `booking_info`. */
export function readBooking(body: BookBody): BookRequest {
  const { guests, contact, special_requests, accept_price_up_to, client_reference, terms_digest, ...bookingInfo } = body
  return {
    bookingInfo: Object.fromEntries(Object.entries(bookingInfo).filter(([, value]) => value !== null)),
    guests: readGuests(guests ?? []),
    contact: { email: contact?.email ?? '', phone: (contact?.phone ?? '').trim() },
    specialRequests: special_requests ?? '',
    acceptPriceUpTo: accept_price_up_to ?? undefined,
    termsDigest: terms_digest ?? undefined,
    clientReference: client_reference ?? undefined,
    fingerprint: computeFingerprint(body),
  }
}

export const readGuests = (guests: NonNullable<BookBody['guests']>): BookingGuest[] =>
  guests.map((guest) => ({
    givenName: guest.given_name.trim(),
    familyName: guest.family_name.trim(),
    email: guest.email ?? '',
    phone: (guest.phone ?? '').trim(),
  }))

/** Strips the quotes that some clients add. */
export const readIdempotencyKey = (header: string | undefined): string | undefined => header?.replace(/^"(.*)"$/, '$1')
