import type Stripe from 'stripe'
import type { Decline } from './cards.ts'

export type StripeReply = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
  /** Repeated for the same idempotency key: the work had begun. */
  readonly isKept: boolean
}

type ErrorBody = {
  readonly type: Stripe.RawErrorType
  readonly code?: string
  readonly decline_code?: string
  readonly param?: string
  readonly message: string
  readonly payment_intent?: Stripe.PaymentIntent
}

/** Ends the work of a request with one of Stripe's errors. */
export class Refusal extends Error {
  readonly reply: StripeReply
  constructor(status: number, error: ErrorBody, isKept: boolean, headers: Readonly<Record<string, string>> = {}) {
    super(error.message)
    this.reply = { status, headers, body: { error }, isKept }
  }
}

/** Refused before the work began, so the idempotency key stays free. */
export const invalid = (message: string, code?: string, param?: string): Refusal =>
  new Refusal(400, { type: 'invalid_request_error', message, ...(code && { code }), ...(param && { param }) }, false)

export const missing = (kind: string, id: string): Refusal =>
  new Refusal(
    404,
    { type: 'invalid_request_error', code: 'resource_missing', param: 'id', message: `No such ${kind}: '${id}'` },
    false,
  )

/** The object is not in the state that the call needs. */
export const wrongState = (code: string, message: string, payment_intent: Stripe.PaymentIntent): Refusal =>
  new Refusal(400, { type: 'invalid_request_error', code, message, payment_intent }, true)

export const declined = ({ code, declineCode, message }: Decline, payment_intent: Stripe.PaymentIntent): Refusal =>
  new Refusal(
    402,
    { type: 'card_error', code, message, ...(declineCode && { decline_code: declineCode }), payment_intent },
    true,
  )

export const apiError = (): StripeReply => ({
  status: 500,
  headers: { 'stripe-should-retry': 'false' },
  body: { error: { type: 'api_error', message: 'An unknown error occurred' } },
  isKept: true,
})

export const throttledReply = (): StripeReply => ({
  status: 429,
  headers: { 'stripe-rate-limited-reason': 'global-rate' },
  body: { error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded.' } },
  isKept: false,
})

export const keyInUse = (key: string): StripeReply => ({
  status: 409,
  headers: { 'stripe-should-retry': 'true' },
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message: `Another request with this idempotency key is in progress: ${key}`,
    },
  },
  isKept: false,
})
