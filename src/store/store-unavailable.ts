import { AppError } from '../domain/errors.ts'

/** The effect is unknown here; the error handler corrects that for requests that cannot have changed anything. */
export const storeUnavailable = (cause: unknown, retryAfterMs: number): AppError =>
  new AppError(
    'store_unavailable',
    'The connection to the database was lost. The request may have had an effect: repeat it only with the same idempotency key, or read the state first.',
    { retryAfterMs, cause },
  )
