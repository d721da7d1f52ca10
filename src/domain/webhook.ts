import type { Booking, BookingEvent, BookingState } from './booking.ts'
import { toMajor } from './money.ts'

/** What an account can be told of. The steps in between are nobody's news. */
export const WEBHOOK_EVENTS = [
  'booking.confirmed',
  'booking.rejected',
  'booking.in_doubt',
  'booking.needs_review',
  'booking.cancelled',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

export const WEBHOOKS_MAX = 10

export const WEBHOOK_STATUSES = ['active', 'failing', 'disabled'] as const
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number]

export type Webhook = {
  readonly id: string
  readonly accountId: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly description: string
  /** `failing` since the last attempt went wrong; `disabled` since the receiver said it is gone. */
  readonly status: WebhookStatus
  readonly createdAt: number
}

export function webhookEventOf(state: BookingState): WebhookEvent | undefined {
  return WEBHOOK_EVENTS.find((event) => event === `booking.${state}`)
}

/** The same for every receiver and every attempt, so that a receiver can tell a repeat by it. */
export const messageIdOf = (bookingId: string, sequence: number): string =>
  `evt_${bookingId.replace(/^bkg_/, '')}_${sequence}`

/** The body, as it is signed and sent. Who travels is not in it: a receiver that needs to know asks the API. */
export function payloadOf(type: WebhookEvent, booking: Booking, event: BookingEvent): string {
  return JSON.stringify({
    type,
    timestamp: new Date(event.at).toISOString(),
    data: {
      booking_id: booking.bookingId,
      status: event.to,
      client_reference: booking.clientReference ?? null,
      vendor_id: booking.vendorId,
      vendor_reference: booking.vendorReference ?? null,
      check_in: booking.stay.checkIn,
      check_out: booking.stay.checkOut,
      total_price: toMajor(booking.price.total),
      currency: booking.price.total.currency,
      sequence: event.sequence,
      simulated: booking.simulated,
    },
  })
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** For how long an event is worth repeating. */
export const RETRY_FOR_MS = 24 * HOUR_MS

const WAITS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS]
const LONGEST_WAIT_MS = 3 * HOUR_MS

/** How long to wait after the n-th failure. Spread by a fifth, so that a receiver coming back is not met by a herd. */
export function retryWaitMs(failures: number, random: () => number): number {
  const wait = WAITS_MS[failures - 1] ?? LONGEST_WAIT_MS
  return Math.round(wait * (0.8 + 0.4 * random()))
}

const PAUSE_AFTER = 4
const PAUSE_MAX_MS = MINUTE_MS

/**
 * How long a receiver that failed this often in a row is left alone with all its events: one that is down must not
 * take the places of those that are up. One success ends it, so a bad event among good ones changes little.
 */
export function receiverPauseMs(failuresInRow: number): number {
  return failuresInRow < PAUSE_AFTER ? 0 : Math.min(PAUSE_MAX_MS, SECOND_MS * 2 ** (failuresInRow - PAUSE_AFTER))
}
