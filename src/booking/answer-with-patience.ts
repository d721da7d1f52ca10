import type { Booking } from '../domain/booking/booking.ts'
import { AppError } from '../domain/errors.ts'
import { unlessLate } from '../lib/time/deadline.ts'
import type { Slot } from './booking-queue.ts'
import type { BookAnswer } from './replay-answer.ts'
import type { Moved } from './store/moves.ts'
import type { SubmitDeps } from './submit-booking.ts'

export type PatienceDeps = Pick<SubmitDeps, 'bookings' | 'present' | 'onBug'> & {
  /** Submissions that continue after the client was answered or has disconnected. */
  readonly underway: Set<Promise<unknown>>
  /** Time after which a waiting client gets 202 and has to poll. */
  readonly patienceMs: number
}

/** The vendor call outlives the request: after `patienceMs` the client gets 202, and the booking continues. */
export async function answerWithPatience(
  deps: PatienceDeps,
  slot: Slot,
  booking: Booking,
  submit: () => Promise<Moved | undefined>,
): Promise<BookAnswer> {
  const submission = submit()
  const tracked = submission.catch((error) => deps.onBug(error, booking)).finally(() => deps.underway.delete(tracked))
  deps.underway.add(tracked)
  slot.keepUntil(tracked)

  const moved = await unlessLate(submission, deps.patienceMs).catch(() => undefined)
  if (moved?.answer !== undefined) return { ...moved.answer, bookingId: booking.bookingId, replayed: false }
  // Unfinished, taken over or not recorded: the settle job will finish it. Stored first, so that a repeated request
  // gets the current state.
  const unknown = deps.present(booking)
  const answer = await deps.bookings.keepAnswer(booking.bookingId, unknown).catch((error: unknown) => {
    // On a full disk nothing can be stored, but the booking may be at the vendor.
    if (error instanceof AppError) return unknown
    throw error
  })
  return { ...answer, bookingId: booking.bookingId, replayed: false }
}
