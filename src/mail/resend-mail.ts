import { soldBooking } from '../domain/booking/apply-sale.ts'
import type { Booking, BookingEvent } from '../domain/booking/booking.ts'
import { AppError } from '../domain/errors.ts'
import { mailKindForState } from '../domain/mail.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { MailLog } from './store/log.ts'
import type { MailPurpose } from './store/mails.ts'

type Deps = {
  readonly mails: Pick<MailLog, 'add' | 'retry'>
  choosePurpose(booking: Booking): MailPurpose
  readonly clock: Clock
}

/** `sequence`: a failed mail to resend. Without it, the current status is mailed to the guest. */
export type ResendMail = (
  booking: Booking,
  events: readonly BookingEvent[],
  sequence: number | undefined,
) => Promise<void>

export function createResendMail({ mails, clock, ...deps }: Deps): ResendMail {
  return async (booking, events, sequence) => {
    const now = clock.now()
    if (sequence !== undefined) {
      if (await mails.retry(booking.bookingId, sequence, now)) return
      throw new AppError(
        'not_possible',
        'No failed mail with this sequence can be resent: it does not exist, was replaced by a later one, or its content is erased.',
      )
    }
    const purpose = deps.choosePurpose(booking)
    const kind = mailKindForState(booking)
    const last = events.at(-1)
    // Events with a kind report differences and numbers, not status changes.
    const move = events.findLast((event) => event.kind === undefined)
    if (purpose === undefined) throw new AppError('not_possible', 'Mails are off. Set SERAI_SMTP_URL to send them.')
    if (booking.persons.contact.email === '')
      throw new AppError('not_possible', 'The booking has no e-mail address, or its personal data was erased.')
    if (kind === undefined || last === undefined || move === undefined)
      throw new AppError('not_possible', 'The outcome of the booking is not known yet. Send the mail once it is.')
    const { from, reason } = move
    const event = { sequence: last.sequence, from, at: now, reason, again: now }
    await mails.add({ kind, booking: soldBooking(booking), event }, purpose, now)
  }
}
