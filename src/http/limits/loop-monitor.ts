import { performance } from 'node:perf_hooks'

export const SAMPLE_MS = 10
/** Delay of the event loop from which requests are throttled. */
const LATE_MS = 10
/** Utilization from which the loop is about to be late, measured over `SHARE_SAMPLE_MS`. */
const LOADED_SHARE = 0.7
const SHARE_SAMPLE_MS = 100
/** A sample stays valid this long, because a late turn of the loop is often followed by an idle one. */
const REMEMBERED_MS = 300
/** Target utilization while accounts are throttled, so that requests of others usually find the loop idle. */
const PACED_SHARE = 0.4
/** One every 100 ms, backing off to 250 ms under load, so that 95 % of other requests are unaffected. */
const ADMIT_EVERY_MS = { min: 100, max: 250 }

/** Measures the delay of the event loop, and the interval at which it can admit waiting requests. */
export function createLoopMonitor() {
  // Nothing is late before the first sample.
  let sampledAt = Number.POSITIVE_INFINITY
  let measuredAt = 0
  let last = performance.eventLoopUtilization()
  let busyShare = 0
  let lateUntil = 0
  let admitEveryMs = ADMIT_EVERY_MS.min

  function measureShare(now: number): void {
    const current = performance.eventLoopUtilization()
    busyShare = performance.eventLoopUtilization(current, last).utilization
    last = current
    measuredAt = now
    admitEveryMs =
      busyShare > PACED_SHARE
        ? Math.min(ADMIT_EVERY_MS.max, admitEveryMs * 1.5)
        : Math.max(ADMIT_EVERY_MS.min, admitEveryMs * 0.9)
  }

  return {
    /** Call every `SAMPLE_MS`; the delay of the call is the delay of the loop. */
    sample(now: number): void {
      if (now - measuredAt >= SHARE_SAMPLE_MS) measureShare(now)
      if (busyShare > LOADED_SHARE || now - sampledAt - SAMPLE_MS > LATE_MS) lateUntil = now + REMEMBERED_MS
      sampledAt = now
    },
    isBehind: (now: number) => now < lateUntil,
    admitEveryMs: () => admitEveryMs,
  }
}
