/** Injected, so that tests can set the time. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

/** Never jumps back; for durations only. */
export const monotonicMs = (): number => performance.now()
