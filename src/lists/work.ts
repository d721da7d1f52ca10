import { monotonicMs } from '../lib/time/clock.ts'
import type { FilterTest } from './filter-test.ts'
import type { ListPlan } from './plan.ts'

/** Called with the number of tests before they run; throws if they exceed the caller's allowance. */
export type Charge = (tests: number) => Promise<void>
export const noCharge: Charge = async () => undefined

/** Longest time without yielding to the event loop. */
const SLICE_MS = 5

/** Number of tests that a plan runs on each record. */
export const testsPerRow = ({ filters }: Pick<ListPlan, 'filters'>): number =>
  filters.reduce((sum, { test }) => sum + countTests(test), 0)

/** A list of values is one lookup; each word is a test. */
const countTests = (test: FilterTest): number => (test.kind === 'text' ? test.terms.length : 1)

/** Runs pausable work and yields to the event loop after each slice. */
export async function runInSlices<T>(work: Iterator<void, T>): Promise<T> {
  // Yields before the first slice, because several requests may have arrived together.
  let since = 0
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value
    if (monotonicMs() - since < SLICE_MS) continue
    await nextTurn()
    since = monotonicMs()
  }
}

const waiting: (() => void)[] = []

/** Resolves for one caller per event loop turn, so that lists in progress never run two slices in a row. */
export function nextTurn(): Promise<void> {
  return new Promise((start) => {
    waiting.push(start)
    if (waiting.length === 1) setImmediate(startNextSlice)
  })
}

function startNextSlice(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(startNextSlice)
}

/** Runs the same work without pauses. */
export function runAtOnce<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
