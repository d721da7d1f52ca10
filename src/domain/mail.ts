import { createBackoff } from '../lib/async/backoff.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts'
import type { Booking, BookingEvent } from './booking/booking.ts'
import { type Discrepancy, type DiscrepancyCode, isOpenDiscrepancy } from './booking/discrepancy.ts'
import type { Money } from './money/money.ts'
import { buildMessageId } from './webhook.ts'

export const MAIL_KINDS = [
  'confirmed',
  'confirmation_number',
  'cancelled',
  /** A cancellation with an unknown outcome did not happen. */
  'still_confirmed',
  'needs_attention',
  /** A booking with an unknown outcome was not made. */
  'not_booked',
  /** The vendor's data differs from a booking that is still confirmed. */
  'changed',
  /** Money was sent back to the card. */
  'refunded',
  /** The guest asked for the link to the booking. */
  'link',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]

/** Input of one mail, with the booking as it was at the event. */
export type MailContent = {
  readonly kind: MailKind
  readonly booking: Booking
  readonly event: MailEvent
}

type MailEvent = Pick<BookingEvent, 'sequence' | 'from' | 'at'> & {
  readonly reason?: string | undefined
  /** Sent back to the card so far. */
  readonly refunded?: Money
  /** Time at which an operator sent it again. Mail programs drop a second mail with the same `Message-ID`. */
  readonly again?: number
}

/** Mail to the operator about a discrepancy or a payment. */
export type OperatorNote = { readonly kind: 'operator_note'; readonly booking: Booking; readonly event: MailEvent }

export const findReportedDiscrepancy = ({
  booking,
  event,
}: Pick<MailContent, 'booking' | 'event'>): Discrepancy | undefined =>
  booking.discrepancies?.find((found) => isOpenDiscrepancy(found) && found.code === event.reason)

/** A different price is settled between seller and vendor; the guest pays the agreed one. */
const CONCERNS_GUEST: readonly DiscrepancyCode[] = ['terms_differ', 'guests_differ']

/** Undefined while the outcome is unknown, and for refusals that the client got in the response. */
export function mailKindForEvent(event: Pick<BookingEvent, 'kind' | 'from' | 'to' | 'reason'>): MailKind | undefined {
  const { kind, from, to, reason } = event
  if (kind === 'confirmation_number') return kind
  if (kind === 'payment_refunded') return 'refunded'
  if (kind === 'discrepancy') return to === 'confirmed' && concernsGuest(reason) ? 'changed' : undefined
  if (kind !== undefined) return undefined
  if (to === 'confirmed' && from === 'cancelling') return reason === 'still_confirmed' ? 'still_confirmed' : undefined
  return to === 'rejected' && from === 'submitting' ? undefined : KINDS_BY_STATE[to]
}

const KINDS_BY_STATE: Partial<Record<Booking['state'], MailKind>> = {
  confirmed: 'confirmed',
  cancelled: 'cancelled',
  needs_review: 'needs_attention',
  rejected: 'not_booked',
}

/** Undefined while the outcome is unknown. */
export const mailKindForState = ({ state }: Pick<Booking, 'state'>): MailKind | undefined => KINDS_BY_STATE[state]

/** The same for each attempt to send a mail. */
export const buildMailId = (bookingId: string, { sequence, again }: Pick<MailEvent, 'sequence' | 'again'>): string =>
  `${buildMessageId(bookingId, sequence)}${again === undefined ? '' : `.${again}`}`

/** Sequence of the mail with a requested link, above that of any event. */
export const LINK_SEQUENCE = 1_000_000

const concernsGuest = (reason: string | undefined) => CONCERNS_GUEST.some((code) => code === reason)

/** True if the guest is expected at the property. */
export const isForConfirmedStay = (kind: MailKind): boolean =>
  kind === 'confirmed' || kind === 'confirmation_number' || kind === 'still_confirmed'

export const MAIL_RETRY_FOR_MS = 48 * HOUR_MS
/** Mails are deleted after this time, sent or not. */
export const MAIL_KEPT_MS = 7 * 24 * HOUR_MS

export const mailRetryWaitMs = createBackoff([
  15 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
])
