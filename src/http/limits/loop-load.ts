import { performance } from 'node:perf_hooks'

/** How often the event loop is looked at. */
export const SAMPLE_MS = 10
/** From here on callers feel that the loop is late; all at once, they would make it later. */
const LATE_MS = 10
/** Nobody is late yet, but nearly: measured over `SHARE_SAMPLE_MS`. */
const LOADED_SHARE = 0.7
const SHARE_SAMPLE_MS = 100
/** A sample counts this long: one late turn of the loop is followed by an idle one. */
const REMEMBERED_MS = 300
/** What the loop should be left with while somebody is paced: the others find it free more often than not. */
const PACED_SHARE = 0.4
/**
 * A waiting request is let in this often: so seldom that nineteen of twenty others never meet it, and seldomer the less time
 * is left.
 */
const LET_IN_EVERY_MS = { least: 100, most: 250 }

/** Whether the event loop is behind, and how many waiting requests it can take. */
export function createLoopLoad() {
  // Nothing is late before the first sample.
  let sampledAt = Number.POSITIVE_INFINITY
  let measuredAt = 0
  let last = performance.eventLoopUtilization()
  let busyShare = 0
  let lateUntil = 0
  let letInEveryMs = LET_IN_EVERY_MS.least

  function measureShare(now: number): void {
    const current = performance.eventLoopUtilization()
    busyShare = performance.eventLoopUtilization(current, last).utilization
    last = current
    measuredAt = now
    letInEveryMs =
      busyShare > PACED_SHARE
        ? Math.min(LET_IN_EVERY_MS.most, letInEveryMs * 1.5)
        : Math.max(LET_IN_EVERY_MS.least, letInEveryMs * 0.9)
  }

  return {
    /** To be called every `SAMPLE_MS`: how much later that happens is how late the loop is. */
    sample(now: number): void {
      if (now - measuredAt >= SHARE_SAMPLE_MS) measureShare(now)
      if (busyShare > LOADED_SHARE || now - sampledAt - SAMPLE_MS > LATE_MS) lateUntil = now + REMEMBERED_MS
      sampledAt = now
    },
    isBehind: (now: number) => now < lateUntil,
    letInEveryMs: () => letInEveryMs,
  }
}
