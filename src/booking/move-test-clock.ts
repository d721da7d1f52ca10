import { AppError, invalidRequest } from '../domain/errors.ts'
import { type Clock, monotonicMs } from '../lib/time/clock.ts'
import { startDeadline, unlessAborted } from '../lib/time/deadline.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import type { BookingStore } from './store/bookings.ts'
import { type ClockOwner, TEST_DAYS_MAX } from './store/test-clocks.ts'

export type MoveTestClock = (owner: ClockOwner, hours: number, bookingId?: string) => Promise<number>

type Deps = {
  readonly bookings: Pick<BookingStore, 'advanceTestTime'>
  readonly clock: Clock
  /** Runs one round for all accounts; returns how many bookings were read. */
  readonly readBookings: () => Promise<number>
  /** Runs one round for all accounts; returns how many deliveries were tried. */
  readonly deliver: () => Promise<number>
  readonly answerWithinMs?: number
}

const ANSWER_WITHIN_MS = 20_000
const ROUNDS_MAX = 50

const TOO_FAR = {
  field: 'advance_hours',
  code: 'out_of_range',
  message: `The test clock may be at most ${TEST_DAYS_MAX} days ahead. Read it with GET, or reset it with DELETE.`,
}

/** Callers share the rounds, which serve all accounts. The jobs do what remains after the time limit. */
export function createMoveTestClock(deps: Deps): MoveTestClock {
  const { bookings, clock, readBookings, deliver, answerWithinMs = ANSWER_WITHIN_MS } = deps
  const untilDone = (round: () => Promise<number>) => async () => {
    const endsAt = monotonicMs() + answerWithinMs
    for (let rounds = 0; rounds < ROUNDS_MAX && monotonicMs() < endsAt; rounds += 1) if ((await round()) === 0) return
  }
  // Separate, so that a slow webhook receiver does not delay readings.
  const readAll = oneAtATime(untilDone(readBookings))
  const deliverAll = oneAtATime(untilDone(deliver))

  return async function moveTestClock(owner, hours, bookingId) {
    using deadline = startDeadline(answerWithinMs)
    const offsetMs = await bookings.advanceTestTime(owner, Math.round(hours * HOUR_MS), bookingId)
    if (offsetMs === 'unknown')
      throw new AppError('booking_not_found', 'There is no simulated booking with this id on this test clock.')
    if (offsetMs === 'too_far') throw invalidRequest([TOO_FAR])
    await unlessAborted(readAll(), deadline.signal)
    if (!deadline.signal.aborted) await unlessAborted(deliverAll(), deadline.signal)
    return clock.now() + offsetMs
  }
}

/** Callers that arrive during a run share the next one: the current run may already have passed what they wait for. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve()
  let next: Promise<void> | undefined
  return () => {
    if (next !== undefined) return next
    next = last
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return work()
      })
    last = next
    return next
  }
}
