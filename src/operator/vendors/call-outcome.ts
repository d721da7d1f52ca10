import type { CallFault } from '../../vendors/vendor-error.ts'

/** Result of a call to a vendor, as shown in the console. */
export const CALL_OUTCOMES = [
  'ok',
  /** A 4xx. Some vendors report "no rooms" like this, so it is not a failure. */
  'refused',
  'credentials',
  /** The vendor cannot be used with a setting of ours. */
  'misconfigured',
  /** Rate-limited by the vendor. */
  'throttled',
  'server_error',
  'timeout',
  /** The client disconnected or allowed less than two seconds. */
  'given_up',
  'unreachable',
  'malformed',
  /** Not sent: the breaker is open. */
  'breaker_open',
  /** Not sent: our own limit, or a pause that the vendor requested. */
  'held_back',
  'internal',
] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]

const HARMLESS: readonly CallOutcome[] = ['ok', 'refused', 'given_up']
/** Excluded from latency: nothing was sent, or the caller did not wait for the answer. */
const NOT_TIMED: readonly CallOutcome[] = ['breaker_open', 'held_back', 'internal', 'given_up', 'misconfigured']

export const isFailure = (outcome: CallOutcome): boolean => !HARMLESS.includes(outcome)
export const isTimed = (outcome: CallOutcome): boolean => !NOT_TIMED.includes(outcome)

/** Takes the HTTP status, or the reason why there was none. */
export function classifyCall(status: number | undefined, fault: CallFault | undefined): CallOutcome {
  if (status !== undefined) return classifyStatus(status)
  return (fault && BY_FAULT[fault]) ?? 'internal'
}

const BY_FAULT: Partial<Record<CallFault, CallOutcome>> = {
  timeout: 'timeout',
  given_up: 'given_up',
  unreachable: 'unreachable',
  malformed: 'malformed',
  misconfigured: 'misconfigured',
  unavailable: 'breaker_open',
  throttled: 'held_back',
}

function classifyStatus(status: number): CallOutcome {
  if (status >= 500) return 'server_error'
  if (status === 429) return 'throttled'
  if (status === 401 || status === 403) return 'credentials'
  return status >= 400 ? 'refused' : 'ok'
}
