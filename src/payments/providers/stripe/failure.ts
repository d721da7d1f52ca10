import type Stripe from 'stripe'
import { ProviderError, type ProviderFault } from '../../provider-error.ts'

/** The payment is not in the state that the call needs; an earlier call may have changed it. */
const STATE_CODES = new Set([
  'payment_intent_unexpected_state',
  'charge_already_captured',
  'charge_already_refunded',
  'charge_expired_for_capture',
  'capture_charge_authorization_expired',
])

const RETRY_AFTER_MAX_S = 3_600

/** Failure of one call of the official client. `isWrite`: the call could have changed something. */
export function readStripeFailure(error: unknown, isWrite: boolean): ProviderError {
  if (error instanceof ProviderError) return error
  const failure = asStripeError(error)
  // The client wraps errors of our transport.
  const inner: unknown = failure?.detail
  if (inner instanceof ProviderError) return inner
  const unknown = isWrite ? 'unknown' : 'none'
  if (failure?.statusCode === undefined) {
    return new ProviderError('malformed', unknown, { detail: 'an answer that cannot be read', cause: error })
  }
  const [fault, effect] = classify(failure, failure.statusCode, unknown)
  const retryAfterMs = fault === 'throttled' ? readRetryAfter(failure) : undefined
  const options = { detail: describe(failure), cause: error }
  return new ProviderError(fault, effect, retryAfterMs === undefined ? options : { ...options, retryAfterMs })
}

/** Only documented refusals prove that this call did nothing. */
function classify(
  { rawType, code }: Stripe.errors.StripeError,
  status: number,
  unknown: 'none' | 'unknown',
): readonly [ProviderFault, 'none' | 'unknown'] {
  if (status === 401 || status === 403) return ['credentials', 'none']
  if (status === 402) return ['declined', 'none']
  if (status === 429) return ['throttled', 'none']
  // The first request with this key is still running.
  if (status === 409) return ['unavailable', unknown]
  if (rawType === 'idempotency_error') return ['state', unknown]
  if (rawType !== 'invalid_request_error') return ['unavailable', unknown]
  if (status === 404) return ['not_found', 'none']
  if (status !== 400) return ['unavailable', unknown]
  return [STATE_CODES.has(code ?? '') ? 'state' : 'refused', 'none']
}

/** Code, parameter and request id, for operators. Never the message, which may repeat what was sent. */
function describe({ code, decline_code, rawType, param, requestId }: Stripe.errors.StripeError): string {
  const words = [code ?? rawType ?? 'error', decline_code, param === undefined ? undefined : `parameter ${param}`]
  const text = words.filter((word) => word !== undefined && word !== '').join(' ')
  return requestId === undefined ? text : `${text} (${requestId})`
}

function readRetryAfter({ headers }: Stripe.errors.StripeError): number | undefined {
  const seconds = Number(headers?.['retry-after'])
  return seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_S) * 1_000 : undefined
}

/** Recognised by shape, because importing the class would load the package. */
const asStripeError = (error: unknown): Stripe.errors.StripeError | undefined =>
  error instanceof Error && 'rawType' in error ? (error as Stripe.errors.StripeError) : undefined
