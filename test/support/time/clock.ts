import type { Clock } from '../../../src/lib/time/clock.ts'

/** A clock that the test moves. */
export function manualClock(start = Date.parse('2027-01-15T12:00:00Z')): Clock & { advance(ms: number): void } {
  let now = start
  return {
    now: () => now,
    advance(ms) {
      now += ms
    },
  }
}
