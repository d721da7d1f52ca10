import type { Arguments, Operation } from './methods.ts'
import type { SeraiError } from './serai-error.ts'

const SECOND_MS = 1_000

/** Longer than the service itself takes, so that the client does not give up first. README.md has the same times. */
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

/** True if the call changes nothing, whatever becomes of it. */
export const isSafe = ({ safe }: Pick<Operation, 'safe'>, args: Arguments): boolean =>
  safe === 'always' || (safe === 'preview' && args.preview === true)

/** Statuses of failures that may pass. */
const PASSING = [408, 425, 429, 500, 502, 503, 504]
/** A booking whose first request is still running: the same request with the same key waits for its response. */
const RUNNING = 'request_in_progress'

export const mayPass = (status: number, code: string): boolean => PASSING.includes(status) || code === RUNNING

const REPEATED = [429, 502, 503, 504]

/**
 * True if the client repeats the call by itself: after a lost response (status below 400) and after `REPEATED`. A 502 or 504
 * of the service itself is left to the caller, because vendors that failed a moment ago fail again.
 */
export function isRepeatedByClient({ status, code, problem, retryable }: SeraiError): boolean {
  if (!retryable) return false
  const isOfVendors = problem !== undefined && (status === 502 || status === 504)
  return code === RUNNING || status < 400 || (REPEATED.includes(status) && !isOfVendors)
}

/** Statuses of refusals before the service looks at the booking: they say nothing about an earlier attempt. */
const UNHEARD = [401, 403, 408, 425, 429]

/** True if this failure leaves open what an earlier attempt with the same key did. */
export const leavesOpen = (status: number, isSettled: boolean): boolean =>
  !isSettled && (status < 400 || status >= 500 || UNHEARD.includes(status))

/** Waits of the client's own, where the service names none. */
export const backoffMs = (failures: number): number => 300 * 2 ** failures * (0.75 + Math.random() / 2)
/** A longer wait is the caller's to decide on. */
export const LONGEST_WAIT_MS = 20 * SECOND_MS
export const USUAL_RETRIES = 2
