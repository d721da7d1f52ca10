import type { ServerResponse } from 'node:http'
import type { AppError } from '../../domain/errors.ts'
import { createWaitingLine } from '../../lib/async/waiting-line.ts'
import { monotonicMs } from '../../lib/time/clock.ts'
import { turnInLine } from './waiting-line.ts'

/**
 * For work that keeps the whole process busy. One piece of it is done at a time, callers in turn, and after each the process
 * is left to other requests for as long as it took. A caller with more than `waitingMax` requests waiting is refused.
 */
export function createOneAtATime(waitingMax: number, refusal: () => AppError) {
  const line = createWaitingLine(waitingMax)
  let isBusy = false
  const next = () => {
    if (line.size() > 0) line.letIn()
    else isBusy = false
  }
  return async function inTurn<T>(who: string, raw: ServerResponse, work: () => Promise<T>): Promise<T> {
    if (isBusy) await turnInLine(line, who, raw, refusal)
    isBusy = true
    const startedAt = monotonicMs()
    try {
      return await work()
    } finally {
      setTimeout(next, monotonicMs() - startedAt)
    }
  }
}
