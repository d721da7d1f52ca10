import { ERRORS, type ErrorCode } from './error-table.ts'

export type { Effect, ErrorCode } from './error-table.ts'

/** In the order of the table. */
export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** One invalid field: its path, a stable code, and a message that says how to correct it. */
export type FieldError = { readonly field: string; readonly code: string; readonly message: string }

type Options = {
  readonly errors?: readonly FieldError[]
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** An expected failure. `message` is for the client; `cause` is logged and never serialised. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  readonly retryAfterMs: number | undefined

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.errors = options.errors ?? []
    this.retryAfterMs = options.retryAfterMs
  }
}

/** Reports all invalid fields at once, so that the client needs one round to correct them. */
export function invalidRequest(errors: readonly FieldError[]): AppError {
  const fields = [...new Set(errors.map((error) => error.field))].join(', ')
  return new AppError('invalid_request', `The request is well-formed but not valid: ${fields}.`, { errors })
}
