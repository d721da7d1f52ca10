import type { CallFault } from '../../vendors/vendor-error.ts'

/** How a call to a vendor ended, in the words of the console. */
export const CALL_OUTCOMES = [
  'ok',
  /** An answer of the class 4xx. Some vendors say "no rooms" like this, so it is no failure. */
  'refused',
  'credentials',
  /** The vendor said that it was asked too often. */
  'throttled',
  'server_error',
  'timeout',
  /** The client disconnected, or gave the call less than two seconds. */
  'given_up',
  'unreachable',
  /** The answer could not be read. */
  'malformed',
  /** Not sent, because the breaker is open. */
  'breaker_open',
  /** Not sent, because of our own limit of calls or because the vendor had asked for a pause. */
  'held_back',
  /** An error of ours. */
  'internal',
] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

const HARMLESS: readonly CallOutcome[] = ['ok', 'refused', 'given_up']
/** These do not show how long the vendor takes: nothing was sent, or nobody waited for the answer. */
const NOT_TIMED: readonly CallOutcome[] = ['breaker_open', 'held_back', 'internal', 'given_up']

export const isFailure = (outcome: CallOutcome): boolean => !HARMLESS.includes(outcome)
export const isTimed = (outcome: CallOutcome): boolean => !NOT_TIMED.includes(outcome)

/** What a call reports, as the vendors' HTTP client tells it: either an HTTP status, or why there was none. */
export function outcomeOf(status: number | undefined, fault: CallFault | undefined): CallOutcome {
  if (status !== undefined) return byStatus(status)
  return (fault && OF_FAULT[fault]) ?? 'internal'
}

const OF_FAULT: Partial<Record<CallFault, CallOutcome>> = {
  timeout: 'timeout',
  given_up: 'given_up',
  unreachable: 'unreachable',
  malformed: 'malformed',
  unavailable: 'breaker_open',
  throttled: 'held_back',
}

function byStatus(status: number): CallOutcome {
  if (status >= 500) return 'server_error'
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'credentials'
  return status >= 400 ? 'refused' : 'ok'
}
