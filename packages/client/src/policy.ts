import type { Arguments, Operation } from './methods.ts'
import type { SeraiError } from './serai-error.ts'

const SECOND_MS = 1_000

/** Longer than the service's own timeouts, so that the client does not give up first. README.md has the same times. */
const TIMEOUTS_MS: Readonly<Record<string, number>> = {
  'search.create': 25 * SECOND_MS,
  'search.detail': 30 * SECOND_MS,
  // Longer than the two minutes that the service gives LiteAPI.
  'booking.checkPrice': 150 * SECOND_MS,
  // Vendors may take 90 s or more; giving up earlier would only leave the outcome unknown.
  'booking.create': 120 * SECOND_MS,
  'booking.cancel': 90 * SECOND_MS,
  'booking.amend': 90 * SECOND_MS,
  'operator.bookingsCancel': 90 * SECOND_MS,
  'operator.bookingsRead': 90 * SECOND_MS,
  'booking.voucher': 30 * SECOND_MS,
  'booking.receipt': 30 * SECOND_MS,
  // The vendor's check, then up to two calls to the payment provider.
  'payments.create': 100 * SECOND_MS,
  'payments.show': 45 * SECOND_MS,
  'test.clock': 60 * SECOND_MS,
}
const DEFAULT_TIMEOUT_MS = 15 * SECOND_MS
/** Maximum time between two events; the total duration of a stream is unlimited. */
export const STREAM_IDLE_MS = 30 * SECOND_MS
const AFTER_VENDORS_MS = 10 * SECOND_MS

/** Timeout of one attempt; extended if a search gives the vendors more time. */
export function getTimeoutMs(name: string, args: Arguments): number {
  const timeoutMs = TIMEOUTS_MS[name] ?? DEFAULT_TIMEOUT_MS
  const vendorMs = name === 'search.create' ? Number(args.timeout_ms ?? 0) : 0
  return Math.max(timeoutMs, vendorMs + AFTER_VENDORS_MS)
}

/** True if the call has no effect. */
export const isSafe = ({ method, safe }: Pick<Operation, 'method' | 'safe'>, args: Arguments): boolean =>
  method === 'GET' || safe === 'always' || (safe === 'preview' && args.preview === true)

const TRANSIENT_STATUSES = [408, 425, 429, 500, 502, 503, 504]
/** The first request of a booking is still running; the same request with the same key waits for its response. */
const IN_PROGRESS_CODE = 'request_in_progress'

export const isTransient = (status: number, code: string): boolean =>
  TRANSIENT_STATUSES.includes(status) || code === IN_PROGRESS_CODE

const RETRIED_STATUSES = [429, 502, 503, 504]

/**
 * True after a lost response (status below 400) and after `RETRIED_STATUSES`. Not for the service's own 502 or 504:
 * vendors that failed a moment ago fail again.
 */
export function isRetriedByClient({ status, code, problem, retryable }: SeraiError): boolean {
  if (!retryable) return false
  const isVendorFailure = problem !== undefined && (status === 502 || status === 504)
  return code === IN_PROGRESS_CODE || status < 400 || (RETRIED_STATUSES.includes(status) && !isVendorFailure)
}

/** Refusals before the service looks at the booking; they say nothing about an earlier attempt. */
const EARLY_REFUSALS = [401, 403, 408, 425, 429]

/** True if this failure does not settle what an earlier attempt with the same key did. */
export const leavesEffectUnknown = (status: number, isSettled: boolean): boolean =>
  !isSettled && (status < 400 || status >= 500 || EARLY_REFUSALS.includes(status))

/** Used if the service sends no `retry-after`. */
export const backoffMs = (failures: number): number => 300 * 2 ** failures * (0.75 + Math.random() / 2)
/** Longer waits are left to the caller. */
export const MAX_WAIT_MS = 20 * SECOND_MS
export const DEFAULT_RETRIES = 2
