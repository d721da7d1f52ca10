/** Every error code of the API. `http/frame/problem.ts` gives each its status, `docs/errors.md` its page. */
export const ERROR_CODES = [
  'malformed_request',
  'unknown_simulation',
  'unauthenticated',
  'invalid_credentials',
  'totp_required',
  'sign_in_locked',
  'sign_in_needed',
  'insufficient_scope',
  'budget_exceeded',
  'not_found',
  'location_not_found',
  'search_not_found',
  'property_not_found',
  'booking_not_found',
  'webhook_not_found',
  'delivery_not_found',
  'rules_not_found',
  'account_not_found',
  'key_not_found',
  'session_not_found',
  'method_not_allowed',
  'not_acceptable',
  'request_timeout',
  'price_changed',
  'terms_changed',
  'sold_out',
  'booking_rejected',
  'request_in_progress',
  'not_cancellable',
  'not_amendable',
  'not_possible',
  'no_voucher',
  'webhook_disabled',
  'rules_changed',
  'search_expired',
  'offer_expired',
  'body_too_large',
  'unsupported_media_type',
  'expectation_failed',
  'invalid_request',
  'location_too_large',
  'offer_invalid',
  'offer_used',
  'guests_required',
  'card_data_not_accepted',
  'idempotency_mismatch',
  'rate_limited',
  'headers_too_large',
  'vendors_failed',
  'overloaded',
  'vendor_timeout',
  'internal',
] as const
export type ErrorCode = (typeof ERROR_CODES)[number]

/** One wrong field: where, a stable code, and words that name the way out. */
export type FieldError = { readonly field: string; readonly code: string; readonly message: string }

type Options = {
  readonly errors?: readonly FieldError[]
  readonly retryAfterMs?: number
  readonly cause?: unknown
}

/**
 * A failure we expect and can name. `message` is written for the client; what only we should see goes in `cause`, which is
 * logged and never serialised.
 */
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

/** Every wrong field at once: a client should not have to mend them one answer at a time. */
export function invalidRequest(errors: readonly FieldError[]): AppError {
  const fields = [...new Set(errors.map((error) => error.field))].join(', ')
  return new AppError('invalid_request', `The request is well-formed but not valid: ${fields}.`, { errors })
}
