import { monotonicMs } from '../lib/time/clock.ts'
import type { FilterTest } from './filter-test.ts'
import type { ListPlan } from './plan.ts'

/** Told before the work is done how much it is, in tests; throws when it is too much for the caller. */
export type Charge = (tests: number) => Promise<void>
export const noCharge: Charge = async () => undefined

/** How long filtering may go on before others get their turn. */
const SLICE_MS = 5

/** How many questions a plan asks about each record. */
export const testsPerRow = ({ filters }: Pick<ListPlan, 'filters'>): number =>
  filters.reduce((sum, { test }) => sum + testsOf(test), 0)

/** A list of values is one look-up; each word is looked for by itself. */
const testsOf = (test: FilterTest): number => (test.kind === 'text' ? test.terms.length : 1)

/** Runs work that offers to pause, and pauses it whenever it has taken a while. */
export async function runInSlices<T>(work: Iterator<void, T>): Promise<T> {
  // The first time at once: several requests may have come together.
  let since = 0
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value
    if (monotonicMs() - since < SLICE_MS) continue
    await nextTurn()
    since = monotonicMs()
  }
}

const waiting: (() => void)[] = []

/** One slice at a time, however many lists are worked on: between any two, everybody else has a turn. */
export function nextTurn(): Promise<void> {
  return new Promise((begin) => {
    waiting.push(begin)
    if (waiting.length === 1) setImmediate(letIn)
  })
}

function letIn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(letIn)
}

/** Runs the same work at once. */
export function runAtOnce<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
