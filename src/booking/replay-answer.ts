import { AppError } from '../domain/errors.ts'
import { IdempotencyMismatch, OfferUsed } from './refusals.ts'
import { isProvisional, type StoredAnswer } from './store/answers.ts'
import type { Earlier } from './store/bookings.ts'
import type { SubmitDeps } from './submit-booking.ts'

/** As bytes, because a repeated request gets the same ones. */
export type BookAnswer = StoredAnswer & { readonly bookingId: string; readonly replayed: boolean }

/** Simulated and real bookings have separate idempotency-key namespaces. */
export function namespacedKey(key: string, simulated: boolean): string {
  if (simulated) return `simulated ${key}`
  return /^(simulated|real) /.test(key) ? `real ${key}` : key
}

/** Returns the first answer again, or throws if the request differs or is still running. */
export async function replayAnswer(
  deps: Pick<SubmitDeps, 'bookings' | 'present'>,
  earlier: Earlier,
  key: string,
  fingerprint: string,
): Promise<BookAnswer> {
  const { booking } = earlier
  if (earlier.idempotencyKey !== key) throw new OfferUsed(booking)
  if (earlier.fingerprint !== fingerprint) throw mismatch(earlier)
  const { answer: first } = earlier
  if (first !== undefined && !isProvisional(first)) return { ...first, bookingId: booking.bookingId, replayed: true }
  if (first === undefined && booking.state === 'submitting' && earlier.leased) throw inProgress()
  // Until the outcome is known, the current state is the answer. The final answer never changes.
  const present = deps.present(booking)
  // The first one is stored even if it is provisional: a booking whose client has a 202 keeps its key.
  const isKept = first === undefined || !isProvisional(present)
  const answer = isKept ? await deps.bookings.keepAnswer(booking.bookingId, present) : present
  return { ...answer, bookingId: booking.bookingId, replayed: true }
}

const mismatch = ({ booking }: Earlier) =>
  new IdempotencyMismatch(
    'This idempotency key (or, without one, this offer) was already used with another body, for the booking in booking_id.',
    booking.bookingId,
  )

export const inProgress = () =>
  new AppError('request_in_progress', 'The first request is still running. Repeat it shortly.', {
    retryAfterMs: 1_000,
  })
