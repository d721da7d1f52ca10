import type { Logger } from 'pino'
import { AppError } from '../../domain/errors.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'

/** Logs the same failure of a job at most once a minute: while the database is down, several jobs fail every second. */
export function createJobFailureLogger(clock: Clock, log: Pick<Logger, 'error'>) {
  const logged = new Map<string, { readonly text: string; readonly at: number }>()
  return (error: unknown, job: string): void => {
    const [text, now] = [String(error), clock.now()]
    // During an outage of the database all jobs fail alike.
    const key = error instanceof AppError && error.code === 'store_unavailable' ? error.code : job
    const last = logged.get(key)
    if (last?.text === text && now - last.at < MINUTE_MS) return
    logged.set(key, { text, at: now })
    // Expected failures are logged without a stack trace.
    const details = error instanceof AppError ? { code: error.code, cause: String(error.cause) } : { err: error }
    log.error({ ...details, job }, 'a job failed and will be tried again')
  }
}
