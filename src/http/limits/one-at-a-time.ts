import type { ServerResponse } from 'node:http'
import type { AppError } from '../../domain/errors.ts'
import { createFairTurns } from '../../lib/async/fair-queue.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { waitForTurn } from './wait-for-turn.ts'

/**
 * Runs work that blocks the process one piece at a time, fairly between callers, with a pause after each as long as the work.
 * Refuses a caller that has `waitingMax` requests waiting.
 */
export function createOneAtATime(waitingMax: number, refusal: () => AppError) {
  const turns = createFairTurns({ running: 1, waitingPerKey: waitingMax })
  return async function inTurn<T>(key: string, raw: ServerResponse, work: () => Promise<T>): Promise<T> {
    const turn = await waitForTurn(raw, refusal, (signal) => turns.enter(key, { signal }))
    const startedAt = monotonicMs()
    try {
      return await work()
    } finally {
      setTimeout(() => turn[Symbol.dispose](), monotonicMs() - startedAt)
    }
  }
}
