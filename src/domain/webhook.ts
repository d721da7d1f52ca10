import { retryWaits } from '../lib/async/retry-waits.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts'
import type { BookingEvent } from './booking/booking.ts'

/** What an account can subscribe to; the steps in between are not sent. */
export const WEBHOOK_EVENTS = [
  'booking.confirmed',
  'booking.rejected',
  'booking.in_doubt',
  'booking.needs_review',
  'booking.cancelled',
  'booking.discrepancy',
  'booking.confirmation_number',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** Sent when the owner asks for it, whatever the webhook subscribes to. */
export const TEST_EVENT = 'webhook.test'

export const WEBHOOKS_MAX = 10

export const WEBHOOK_STATUSES = ['active', 'failing', 'disabled'] as const
type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

export type Webhook = {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly description: string
  /** `failing` since the last attempt went wrong; `disabled` since the receiver said it is gone. */
  readonly status: WebhookStatus
  readonly createdAt: number
  /** Until when deliveries are also signed with an earlier secret; undefined when they are not. */
  readonly earlierSecretUntil: number | undefined
}

/** `gone`: the receiver had answered 410 by then. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'gone'] as const
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** Why a receiver gave no answer. `refused`: its address is one that is not called. `unreadable`: ours cannot be read any more. */
export const NO_ANSWER = ['timeout', 'unreachable', 'refused', 'unreadable'] as const
type NoAnswer = (typeof NO_ANSWER)[number]

export type DeliveryAttempt = {
  readonly attempt: number
  readonly at: number
  readonly tookMs: number
  /** The status that came, or why none did. */
  readonly status: number | undefined
  readonly error: NoAnswer | undefined
  /** The beginning of the answer's body. */
  readonly answer: string
}

/** One event for one webhook, with everything that was tried. */
export type DeliveryRecord = {
  readonly id: string
  readonly webhookId: string
  /** Undefined for a test event. */
  readonly bookingId: string | undefined
  readonly sequence: number
  readonly status: DeliveryStatus
  /** The body, as it is signed and sent. */
  readonly payload: string
  readonly createdAt: number
  readonly dueAt: number | undefined
  readonly attempts: readonly DeliveryAttempt[]
}

export function webhookEventOf({ kind, to }: Pick<BookingEvent, 'kind' | 'to'>): WebhookEvent | undefined {
  return WEBHOOK_EVENTS.find((event) => event === `booking.${kind ?? to}`)
}

/** The same for every receiver and every attempt, so that a receiver can tell a repeat by it. */
export const messageIdOf = (bookingId: string, sequence: number): string =>
  `evt_${bookingId.replace(/^bkg_/, '')}_${sequence}`

/** What stands for a booking in the queue where a test event is sent. */
export const testSubject = (id: string): string => `${TEST_PREFIX}${id}`
export const isTestSubject = (bookingId: string): boolean => bookingId.startsWith(TEST_PREFIX)
const TEST_PREFIX = 'tst_'

/** The delivery that a message id belongs to; undefined for an id that was never given out. */
export function deliveryOf(messageId: string): { bookingId: string; sequence: number } | undefined {
  const [, subject, sequence] = /^evt_([a-z0-9_]{1,60})_(\d{1,9})$/i.exec(messageId) ?? []
  if (subject === undefined) return undefined
  return { bookingId: isTestSubject(subject) ? subject : `bkg_${subject}`, sequence: Number(sequence) }
}

/** For how long a delivery is retried. */
export const RETRY_FOR_MS = 24 * HOUR_MS

/** For how long deliveries are also signed with the secret before. */
export const EARLIER_SECRET_MS = 24 * HOUR_MS

export const retryWaitMs = retryWaits([
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

/**
 * How long a receiver that failed this often in a row is left alone with all its events: one that is down must not
 * take the places of those that are up. One success ends it, so a bad event among good ones changes little.
 */
export function receiverPauseMs(failuresInRow: number): number {
  return failuresInRow < PAUSE_AFTER ? 0 : Math.min(PAUSE_MAX_MS, SECOND_MS * 2 ** (failuresInRow - PAUSE_AFTER))
}
