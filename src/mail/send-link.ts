import type { LinkStore } from '../booking/store/links.ts'
import { soldBooking } from '../domain/booking/apply-sale.ts'
import type { Booking } from '../domain/booking/booking.ts'
import { linkExpiry } from '../domain/booking/booking-link.ts'
import { LINK_SEQUENCE } from '../domain/mail.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { MailLog } from './store/log.ts'
import type { MailPurpose } from './store/mails.ts'

type Deps = {
  readonly bookings: Pick<LinkStore, 'byReference'>
  readonly mails: Pick<MailLog, 'add'>
  choosePurpose(booking: Booking): MailPurpose
  readonly clock: Clock
  onBug(error: unknown): void
}

export type LinkRequest = { readonly reference: string; readonly email: string }
export type SendLink = ReturnType<typeof createSendLink>

/** Mails the link of a booking to its contact, if reference and address belong together. */
export function createSendLink({ bookings, mails, choosePurpose, clock, onBug }: Deps) {
  const underway = new Set<Promise<void>>()

  async function queue({ reference, email }: LinkRequest): Promise<void> {
    const booking = await bookings.byReference(normalizeReference(reference))
    const purpose = booking && choosePurpose(booking)
    const now = clock.now()
    if (booking === undefined || purpose === undefined || linkExpiry(booking) <= now) return
    if (booking.persons.contact.email.toLowerCase() !== email.trim().toLowerCase()) return
    const event = { sequence: LINK_SEQUENCE, from: undefined, at: now, again: now }
    await mails.add({ kind: 'link', booking: soldBooking(booking), event }, purpose, now)
  }

  return {
    /** Reports nothing, so that neither result nor duration reveals the existence of a booking. */
    start(request: LinkRequest): void {
      const work = queue(request)
        .catch(onBug)
        .finally(() => underway.delete(work))
      underway.add(work)
    },
    quiet: () => Promise.all(underway),
  }
}

/** Guests copy references with spaces and in lower case. */
export const normalizeReference = (reference: string): string => reference.replaceAll(/\s/g, '').toUpperCase()
