import type { Clock } from '../lib/clock.ts'
import type { BookingStore } from '../store/bookings.ts'

export type MoveTestClock = (accountId: string, hours: number) => Promise<number>

type Deps = {
  readonly bookings: Pick<BookingStore, 'advanceTestTime'>
  readonly clock: Clock
  readonly readBookings: () => Promise<number>
  readonly deliver: () => Promise<number>
}

const ROUNDS_MAX = 50
const HOUR_MS = 3_600_000

/** Moves the time of an account's simulated bookings; what falls due happens before it answers the new time. */
export function createMoveTestClock({ bookings, clock, readBookings, deliver }: Deps): MoveTestClock {
  const untilDone = async (run: () => Promise<number>) => {
    for (let round = 0; round < ROUNDS_MAX; round += 1) if ((await run()) === 0) return
  }
  return async function moveTestClock(accountId, hours) {
    const offsetMs = await bookings.advanceTestTime(accountId, Math.round(hours * HOUR_MS))
    await untilDone(readBookings)
    await untilDone(deliver)
    return clock.now() + offsetMs
  }
}
