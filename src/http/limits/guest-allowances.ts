import { MINUTE_MS } from '../../lib/time/durations.ts'

/** Limits of guests, by guest and by IP address. */
export const GUEST_ALLOWANCES = {
  guest: { quota: 200, windowMs: MINUTE_MS },
  guestSearches: { quota: 8, windowMs: MINUTE_MS },
  /** All guests at one address: a client can become a new guest at any time. */
  guestAddress: { quota: 600, windowMs: MINUTE_MS },
  guestSearchesPerAddress: { quota: 20, windowMs: MINUTE_MS },
  guestBookingsPerAddress: { quota: 10, windowMs: 60 * MINUTE_MS },
  /** Each payment lets a guest try several cards. */
  guestPaymentsPerAddress: { quota: 20, windowMs: 60 * MINUTE_MS },
  newGuestsPerAddress: { quota: 20, windowMs: MINUTE_MS },
  linkMailsPerAddress: { quota: 10, windowMs: 60 * MINUTE_MS },
  linkMailsPerBooking: { quota: 3, windowMs: 60 * MINUTE_MS },
}
