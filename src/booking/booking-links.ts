import type { Booking } from '../domain/booking/booking.ts'
import { linkExpiry, openLink, signLink } from '../domain/booking/booking-link.ts'
import type { LinkHolder } from '../domain/page-session.ts'
import type { Keyring } from '../lib/crypto/keyring.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import type { LinkStore } from './store/links.ts'

/** The mail has the link again, so a shared computer forgets it soon. */
const SESSION_MS = DAY_MS

type Deps = { readonly store: LinkStore; readonly keyring: Keyring; readonly clock: Clock; readonly publicUrl: string }

export type BookingLinks = ReturnType<typeof createBookingLinks>

/** Links in mails that open one booking in any browser. */
export function createBookingLinks({ store, keyring, clock, publicUrl }: Deps) {
  async function holder(token: string): Promise<LinkHolder | undefined> {
    const link = openLink(keyring, token, clock.now())
    const booking = link && (await store.find(link.bookingId))
    if (link === undefined || booking === undefined || link.version !== booking.version) return undefined
    return { ...link, accountId: booking.accountId }
  }

  return {
    /** Undefined if the link is not ours, has expired or was revoked. */
    holder,

    /** A shorter token for the cookie of a browser that opened the link. */
    async open(token: string): Promise<(LinkHolder & { readonly secret: string }) | undefined> {
      const link = await holder(token)
      if (link === undefined) return undefined
      const session = { ...link, expiresAt: Math.min(link.expiresAt, clock.now() + SESSION_MS) }
      return { ...session, secret: signLink(keyring, session) }
    },

    /** The token is in the fragment, which browsers send to no server. Undefined once the link would have expired. */
    async urlFor(booking: Pick<Booking, 'bookingId' | 'stay'>): Promise<string | undefined> {
      const { bookingId } = booking
      const expiresAt = linkExpiry(booking)
      const found = expiresAt > clock.now() ? await store.find(bookingId) : undefined
      if (found === undefined) return undefined
      return `${publicUrl}/bookings/${bookingId}#${signLink(keyring, { bookingId, version: found.version, expiresAt })}`
    },

    revoke: (bookingId: string): Promise<void> => store.revoke(bookingId, clock.now()),
  }
}
