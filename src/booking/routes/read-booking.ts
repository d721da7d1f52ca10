import type { FastifyRequest } from 'fastify'
import type { Booking, BookingGuest } from '../../domain/booking/booking.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { requireMatch } from '../../http/middleware/entity-tags.ts'
import { requireCaller } from '../../http/middleware/request-context.ts'
import { computeFingerprint } from '../../lib/crypto/fingerprint.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { SeesNet } from '../../selling/can-see-net-price.ts'
import { refuseCardNumbers } from '../guests/card-numbers.ts'
import type { BookRequest } from '../guests/persons.ts'
import { isTermsDigest } from '../offer/terms-digest.ts'
import { bookingTag } from '../present/booking-tag.ts'
import type { BookBody } from '../schemas/bookings.ts'

/** Runs before validation: a card number must not come back in an error. */
export function refuseCards(body: unknown): void {
  // The sealed offer is ours and may contain such digits by chance.
  const { price_check_uri: _sealed, terms_digest: digest, ...readable } = Object(body)
  refuseCardNumbers(isTermsDigest(digest) ? readable : { terms_digest: digest, ...readable })
}

/** Everything beside the reserved names is the room's `booking_info`. */
export function readBooking(body: BookBody): BookRequest {
  const {
    guests,
    contact,
    special_requests,
    accept_price_up_to,
    client_reference,
    terms_digest,
    payment_id,
    ...bookingInfo
  } = body
  return {
    bookingInfo: Object.fromEntries(Object.entries(bookingInfo).filter(([, value]) => value !== null)),
    guests: readGuests(guests ?? []),
    contact: { email: contact?.email ?? '', phone: (contact?.phone ?? '').trim() },
    specialRequests: special_requests ?? '',
    acceptPriceUpTo: accept_price_up_to ?? undefined,
    termsDigest: terms_digest ?? undefined,
    paymentId: payment_id ?? undefined,
    clientReference: client_reference ?? undefined,
    fingerprint: computeFingerprint(body),
  }
}

export const readGuests = (guests: NonNullable<BookBody['guests']>): BookingGuest[] =>
  guests.map((guest, index) => ({
    givenName: readName(guest.given_name, `guests[${index}].given_name`),
    familyName: readName(guest.family_name, `guests[${index}].family_name`),
    email: guest.email ?? '',
    phone: (guest.phone ?? '').trim(),
  }))

/** Format characters, marks and fillers, which are invisible alone but allowed inside a name. */
const NOTHING_VISIBLE = /^[\s\p{C}\p{M}\u115f\u1160\u2800\u3164\uffa0]*$/u

function readName(text: string, field: string): string {
  if (!NOTHING_VISIBLE.test(text)) return text.trim()
  throw invalidRequest([{ field, code: 'required', message: `${field} has no visible characters.` }])
}

/** A guest's link never shows net prices. */
export async function callerSeesNet(seesNet: SeesNet, request: FastifyRequest): Promise<boolean> {
  const { accountId, isLinked } = requireCaller(request)
  return isLinked !== true && (await seesNet(accountId))
}

/** Check of `if-match` against a stored booking; undefined without the header. */
export async function readPrecondition(
  { seesNet, clock }: { seesNet: SeesNet; clock: Clock },
  request: FastifyRequest,
): Promise<((booking: Booking) => void) | undefined> {
  if (request.headers['if-match'] === undefined) return undefined
  const showsNet = await callerSeesNet(seesNet, request)
  return (booking) => requireMatch(request, bookingTag(booking, clock.now(), showsNet))
}
