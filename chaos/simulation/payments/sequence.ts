/** Counts everything that happens in a run, because several things happen in one virtual millisecond. */
export type Sequence = { now(): number; next(): number }

export function createSequence(now: () => number): Sequence {
  let order = 0
  return {
    now,
    next() {
      order += 1
      return order
    },
  }
}
