import { ERRORS, type ErrorCode } from './error-table.ts'

export type { Effect, ErrorCode } from './error-table.ts'

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** The code is stable; the message says how to correct the field. */
export type FieldError = { readonly field: string; readonly code: string; readonly message: string }

/** A vendor that caused an error; `reason` is for operators. */
export type FailedVendor = { readonly vendorId: string; readonly status: string; readonly reason?: string | undefined }

type Options = {
  readonly failedVendors?: readonly FailedVendor[]
  readonly errors?: readonly FieldError[]
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/** Expected failure. `message` is for the client; `cause` is logged and never serialised. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  readonly retryAfterMs: number | undefined
  /** Logged, and never sent to the client. */
  readonly failedVendors: readonly FailedVendor[]

  constructor(code: ErrorCode, message: string, options: Options = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.errors = options.errors ?? []
    this.retryAfterMs = options.retryAfterMs
    this.failedVendors = options.failedVendors ?? []
  }
}

/** Reports all invalid fields at once, so that the client can correct them in one go. */
export function invalidRequest(errors: readonly FieldError[]): AppError {
  const fields = [...new Set(errors.map((error) => error.field))].join(', ')
  return new AppError('invalid_request', `These fields are not valid: ${fields}.`, { errors })
}
