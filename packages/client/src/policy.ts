import type { Arguments, Operation } from './methods.ts'

const SECOND_MS = 1_000

/** Longer than the service itself takes, so that the client does not give up first. README.md has the same table. */
const TIMEOUTS_MS: Readonly<Record<string, number>> = {
  'search.create': 25 * SECOND_MS,
  'search.detail': 30 * SECOND_MS,
  'booking.checkPrice': 30 * SECOND_MS,
  // Vendors may take 90 s and more; giving up earlier would only leave a doubt.
  'booking.create': 120 * SECOND_MS,
  'booking.cancel': 90 * SECOND_MS,
  'booking.amend': 90 * SECOND_MS,
  'operator.bookingsCancel': 90 * SECOND_MS,
  'operator.bookingsRead': 90 * SECOND_MS,
  'booking.voucher': 30 * SECOND_MS,
  'test.clock': 60 * SECOND_MS,
}
const USUAL_TIMEOUT_MS = 15 * SECOND_MS
/** A stream may take as long as it likes, but not be silent for longer. */
export const STREAM_SILENCE_MS = 30 * SECOND_MS
const AFTER_VENDORS_MS = 10 * SECOND_MS

/** How long one attempt may take. A search that asks for more time of the vendors gets it here too. */
export function timeoutOf(name: string, args: Arguments): number {
  const usual = TIMEOUTS_MS[name] ?? USUAL_TIMEOUT_MS
  const asked = name === 'search.create' ? Number(args.timeout_ms ?? 0) : 0
  return Math.max(usual, asked + AFTER_VENDORS_MS)
}

/**
 * What may be sent twice with the effect of once, beside reading: a search and a sign-in change nothing, a booking carries
 * its key, and the others say the same however often they are sent.
 */
const REPEATABLE = [
  'accounts.getToken',
  'search.create',
  'booking.create',
  'booking.cancel',
  'booking.amend',
  'webhooks.update',
]

export const isRepeatable = (name: string, { method }: Pick<Operation, 'method'>): boolean =>
  method === 'GET' || REPEATABLE.includes(name)

/** Waits of the client's own, where the service names none. */
export const backoffMs = (failures: number): number => 300 * 2 ** failures * (0.75 + Math.random() / 2)
/** A longer wait is the caller's to decide on. */
export const LONGEST_WAIT_MS = 20 * SECOND_MS
export const USUAL_RETRIES = 2
