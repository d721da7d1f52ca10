import { createBackoff } from '../lib/async/backoff.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts'
import type { BookingEvent } from './booking/booking.ts'

/** Events to subscribe to. Intermediate states are not sent. */
export const WEBHOOK_EVENTS = [
  'booking.confirmed',
  'booking.rejected',
  'booking.in_doubt',
  'booking.needs_review',
  'booking.cancelled',
  'booking.discrepancy',
  'booking.confirmation_number',
  'booking.payment_captured',
  'booking.payment_refunded',
  'booking.payment_failed',
  'booking.payment_needs_review',
  'booking.payment_disputed',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** Sent on request, independent of the subscribed events. */
export const TEST_EVENT = 'webhook.test'

export const WEBHOOKS_MAX = 10

export const WEBHOOK_STATUSES = ['active', 'failing', 'disabled'] as const
type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

export type Webhook = {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly description: string
  /** `failing`: the last attempt failed. `disabled`: by the owner, or because the receiver returned 410. */
  readonly status: WebhookStatus
  readonly createdAt: number
  /** End of the period in which deliveries are also signed with the previous secret. */
  readonly earlierSecretUntil: number | undefined
}

/** `gone`: the receiver had returned 410. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'gone'] as const
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** `refused`: the URL resolves to a forbidden address. `unreadable`: the stored webhook cannot be decrypted. */
export const DELIVERY_ERRORS = ['timeout', 'unreachable', 'refused', 'unreadable'] as const
type NoAnswer = (typeof DELIVERY_ERRORS)[number]

export type DeliveryAttempt = {
  readonly attempt: number
  readonly at: number
  readonly tookMs: number
  /** Undefined if there was no response; see `error`. */
  readonly status: number | undefined
  readonly error: NoAnswer | undefined
  /** Start of the response body. */
  readonly answer: string
}

/** One event for one webhook, with all attempts. */
export type DeliveryRecord = {
  readonly id: string
  readonly webhookId: string
  /** Undefined for a test event. */
  readonly bookingId: string | undefined
  readonly sequence: number
  readonly status: DeliveryStatus
  /** Body as signed and sent. */
  readonly payload: string
  readonly createdAt: number
  readonly dueAt: number | undefined
  readonly attempts: readonly DeliveryAttempt[]
}

/** Event as webhooks deliver it. */
export type StoredEvent = {
  readonly id: string
  readonly bookingId: string
  readonly createdAt: number
  /** Body that webhooks receive. */
  readonly payload: string
}

export function toWebhookEvent({ kind, to }: Pick<BookingEvent, 'kind' | 'to'>): WebhookEvent | undefined {
  return WEBHOOK_EVENTS.find((event) => event === `booking.${kind ?? to}`)
}

/** The same for every receiver and attempt, so that receivers can detect repeats. */
export const buildMessageId = (bookingId: string, sequence: number): string =>
  `evt_${bookingId.replace(/^bkg_/, '')}_${sequence}`

/** Replaces the booking id in the queue for a test event. */
export const testSubject = (id: string): string => `${TEST_PREFIX}${id}`
export const isTestSubject = (bookingId: string): boolean => bookingId.startsWith(TEST_PREFIX)
const TEST_PREFIX = 'tst_'

/** Undefined for an id that was never issued. */
export function parseMessageId(messageId: string): { bookingId: string; sequence: number } | undefined {
  const [, subject, sequence] = /^evt_([a-z0-9_]{1,60})_(\d{1,9})$/i.exec(messageId) ?? []
  if (subject === undefined) return undefined
  return { bookingId: isTestSubject(subject) ? subject : `bkg_${subject}`, sequence: Number(sequence) }
}

export const RETRY_FOR_MS = 24 * HOUR_MS

/** Period in which deliveries are also signed with the previous secret. */
export const EARLIER_SECRET_MS = 24 * HOUR_MS

export const retryWaitMs = createBackoff([
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
])

const PAUSE_AFTER = 4
const PAUSE_MAX_MS = MINUTE_MS

/** Pause for all events of a failing receiver, so that it does not delay other receivers. One success ends it. */
export function receiverPauseMs(failuresInRow: number): number {
  return failuresInRow < PAUSE_AFTER ? 0 : Math.min(PAUSE_MAX_MS, SECOND_MS * 2 ** (failuresInRow - PAUSE_AFTER))
}
