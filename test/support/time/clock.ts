import type { Clock } from '../../../src/lib/time/clock.ts'

/** A clock that the test moves. */
export function manualClock(start = Date.parse('2027-01-15T12:00:00Z')): Clock & { turn(ms: number): void } {
  let now = start
  return {
    now: () => now,
    turn(ms) {
      now += ms
    },
  }
}
