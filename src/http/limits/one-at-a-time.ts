import type { ServerResponse } from 'node:http'
import type { AppError } from '../../domain/errors.ts'
import { createFairTurns } from '../../lib/async/fair-queue.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { waitForTurn } from './waiting-line.ts'

/**
 * For work that keeps the whole process busy. One piece of it is done at a time, callers in turn, and after each the process
 * is left to other requests for as long as it took. A caller with more than `waitingMax` requests waiting is refused.
 */
export function createOneAtATime(waitingMax: number, refusal: () => AppError) {
  const turns = createFairTurns({ running: 1, waitingPerKey: waitingMax })
  return async function inTurn<T>(who: string, raw: ServerResponse, work: () => Promise<T>): Promise<T> {
    const turn = await waitForTurn(raw, refusal, (signal) => turns.enter(who, { signal }))
    const startedAt = monotonicMs()
    try {
      return await work()
    } finally {
      setTimeout(() => turn[Symbol.dispose](), monotonicMs() - startedAt)
    }
  }
}
