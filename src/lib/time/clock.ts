/** The time as a dependency, so that tests can set it. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds from an arbitrary start that never jumps back; for durations only. */
export const monotonicMs = (): number => performance.now()
