import { retryWaits } from '../lib/async/retry-waits.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts'
import type { Booking, BookingEvent } from './booking/booking.ts'
import { type Discrepancy, type DiscrepancyCode, isOpen } from './booking/discrepancy.ts'
import { messageIdOf } from './webhook.ts'

/** What a guest is written about. */
export const MAIL_KINDS = [
  'confirmed',
  'confirmation_number',
  'cancelled',
  /** A cancellation whose outcome was open did not happen. */
  'still_confirmed',
  'needs_attention',
  /** A booking whose outcome was open was not made. */
  'not_booked',
  /** The vendor says something else than was booked, and the booking stands. */
  'changed',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** All that one mail is written from: the booking as it was at the event. */
export type MailContent = {
  readonly kind: MailKind
  readonly booking: Booking
  readonly event: MailEvent
}

type MailEvent = Pick<BookingEvent, 'sequence' | 'from' | 'at'> & {
  readonly reason?: string | undefined
  /** When an operator had it sent once more: mail programs drop a second mail with the same `Message-ID`. */
  readonly again?: number
}

/** A mail to the operator about a discrepancy. */
export type OperatorNote = { readonly kind: 'operator_note'; readonly booking: Booking; readonly event: MailEvent }

/** What an event of kind `discrepancy` tells of. */
export const discrepancyOf = ({ booking, event }: Pick<MailContent, 'booking' | 'event'>): Discrepancy | undefined =>
  booking.discrepancies?.find((one) => isOpen(one) && one.code === event.reason)

/** A price that differs is settled between seller and vendor: what the guest pays is agreed. */
const CONCERNS_GUEST: readonly DiscrepancyCode[] = ['terms_differ', 'guests_differ']

/**
 * The mail that an event calls for. A client that was answered at once gets none: a refused booking or a refused cancellation is
 * written about only if its outcome was open before. Nothing is written while the outcome is not known.
 */
export function mailKindOf({
  kind,
  from,
  to,
  reason,
}: Pick<BookingEvent, 'kind' | 'from' | 'to' | 'reason'>): MailKind | undefined {
  if (kind === 'confirmation_number') return kind
  if (kind === 'discrepancy') return to === 'confirmed' && concernsGuest(reason) ? 'changed' : undefined
  if (kind !== undefined) return undefined
  if (to === 'confirmed' && from === 'cancelling') return reason === 'still_confirmed' ? 'still_confirmed' : undefined
  return to === 'rejected' && from === 'submitting' ? undefined : STANDING_KINDS[to]
}

const STANDING_KINDS: Partial<Record<Booking['state'], MailKind>> = {
  confirmed: 'confirmed',
  cancelled: 'cancelled',
  needs_review: 'needs_attention',
  rejected: 'not_booked',
}

/** The mail that says how a booking stands; undefined while its outcome is open. */
export const standingKindOf = ({ state }: Pick<Booking, 'state'>): MailKind | undefined => STANDING_KINDS[state]

/** Unique for each mail, and the same for each attempt to send it. */
export const mailIdOf = (bookingId: string, { sequence, again }: Pick<MailEvent, 'sequence' | 'again'>): string =>
  `${messageIdOf(bookingId, sequence)}${again === undefined ? '' : `.${again}`}`

const concernsGuest = (reason: string | undefined) => CONCERNS_GUEST.some((code) => code === reason)

/** Mails that say that the guest is expected. */
export const isStanding = (kind: MailKind): boolean =>
  kind === 'confirmed' || kind === 'confirmation_number' || kind === 'still_confirmed'

/** For how long a mail is tried again. */
export const MAIL_RETRY_FOR_MS = 48 * HOUR_MS
/** After this long nothing is left of a mail, sent or not. */
export const MAIL_KEPT_MS = 7 * 24 * HOUR_MS

export const mailRetryWaitMs = retryWaits([
  15 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
])
