import { SignInDeclined } from '../api/problem.ts'
import type { Booking } from '../api/shapes.ts'

const POLL_MS = 2_000
const SLOW_POLL_MS = 10_000
const FAST_POLLS = 30

type PollState = { readonly data: Booking | undefined; readonly dataUpdateCount: number; readonly error: Error | null }

/** Statuses that change without the user; the page polls until they do. */
export const isUnsettled = (status: Booking['status']): boolean =>
  ['pending', 'submitting', 'in_doubt', 'cancelling'].includes(status)

const isPaymentUnsettled = ({ payment }: Booking): boolean =>
  ['authorised', 'held', 'capturing', 'refunding', 'voiding'].includes(payment?.status ?? '')

/** After the sign-in dialog was closed, the page does not open it again by itself. */
export const mayPoll = ({ error }: Pick<PollState, 'error'>): boolean => !(error instanceof SignInDeclined)

/** Polling interval of a booking; false if it will not change by itself. */
export function getPollInterval({ data, dataUpdateCount, error }: PollState): number | false {
  if (data === undefined || !mayPoll({ error })) return false
  const isFast = dataUpdateCount < FAST_POLLS
  if (isUnsettled(data.status)) return isFast ? POLL_MS : SLOW_POLL_MS
  // A refund takes days; the page does not wait for it.
  return isFast && isPaymentUnsettled(data) ? POLL_MS : false
}
