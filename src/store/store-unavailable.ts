import { AppError } from '../domain/errors.ts'

/**
 * A database that cannot be reached or written. The store does not know what the request did before, so the effect is
 * unknown; the error handler corrects that for requests that change nothing.
 */
export const storeUnavailable = (cause: unknown, retryAfterMs: number): AppError =>
  new AppError(
    'store_unavailable',
    'The database was lost during the request. It is not known whether the request had an effect. Repeat it only with the same idempotency key, or read the state first.',
    { retryAfterMs, cause },
  )
