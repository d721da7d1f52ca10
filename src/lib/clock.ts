/** The time, as an argument: whoever needs "now" is handed a clock, so a test can turn it. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds from an arbitrary start that never jumps back; for durations only. */
export const monotonicMs = (): number => performance.now()
