import type { Logger } from 'pino'
import { AppError } from '../domain/errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { MINUTE_MS } from '../lib/time/durations.ts'

/**
 * Logs failures of jobs. While the database cannot be reached, several jobs fail every second, so the same failure of a job is logged
 * at most once a minute, and expected failures without a stack trace.
 */
export function tellJobFailures(clock: Clock, log: Pick<Logger, 'error'>) {
  const last = new Map<string, { readonly words: string; readonly at: number }>()
  return (error: unknown, job: string): void => {
    const [words, now] = [String(error), clock.now()]
    const before = last.get(job)
    if (before?.words === words && now - before.at < MINUTE_MS) return
    last.set(job, { words, at: now })
    const what = error instanceof AppError ? { code: error.code, cause: String(error.cause) } : { err: error }
    log.error({ ...what, job }, 'a job failed and will be tried again')
  }
}
