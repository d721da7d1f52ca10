import { SignInDeclined } from '../api/problem.ts'
import type { Booking } from '../api/shapes.ts'

const POLL_MS = 2_000
const POLL_LATER_MS = 10_000
const EAGER_POLLS = 30

type Reading = { readonly data: Booking | undefined; readonly dataUpdateCount: number; readonly error: Error | null }

/** States that will change without the user: the page reads the booking again until they do. */
export const isUnsettled = (status: Booking['status']): boolean =>
  ['pending', 'submitting', 'in_doubt', 'cancelling'].includes(status)

/** Whoever has closed the sign-in dialog is not asked again by the page itself. */
export const mayReadAgain = ({ error }: Pick<Reading, 'error'>): boolean => !(error instanceof SignInDeclined)

/** When to read a booking again: soon while it will change by itself, else not at all. */
export function readAgainMs({ data, dataUpdateCount, error }: Reading): number | false {
  if (data === undefined || !isUnsettled(data.status) || !mayReadAgain({ error })) return false
  return dataUpdateCount < EAGER_POLLS ? POLL_MS : POLL_LATER_MS
}
