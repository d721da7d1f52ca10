import type { Problem } from './shapes.ts'

/** Codes of failures that the service itself did not name, beside those of docs/errors.md. */
export type ClientCode =
  /** No answer came: the name, the network or the server. */
  | 'unreachable'
  /** No whole answer came within the operation's time. */
  | 'timeout'
  /** An answer came that is not the service's, such as a proxy's page; or half of one. */
  | 'unreadable_answer'

/** `none`: nothing was done. `unknown`: something may have been done. */
export type Effect = Problem['effect']
export type SeraiErrorCode = ClientCode | Problem['code']

type Facts = {
  readonly operation: string
  readonly status: number
  readonly code: SeraiErrorCode
  readonly requestId: string
  readonly effect: Effect
  readonly retryable: boolean
  readonly retryAfterMs?: number | undefined
  readonly idempotencyKey?: string | undefined
  readonly problem?: Problem | undefined
  readonly cause?: unknown
}

/** A call that failed, whoever failed: the service, a proxy or the network. */
export class SeraiError extends Error {
  override readonly name = 'SeraiError'
  /** Such as `booking.create`. */
  readonly operation: string
  /** Of the HTTP answer; 0 when none came. */
  readonly status: number
  readonly code: SeraiErrorCode
  /** What support finds the call by; known even when no answer came. */
  readonly requestId: string
  /**
   * `none`: the call did nothing. `unknown`: it may have done something; repeat it only with the same idempotency key, or
   * read the state first.
   */
  readonly effect: Effect
  /** True if the same call may be made again without a second effect, and may succeed then. */
  readonly retryable: boolean
  /** How long the service asks to wait before that. */
  readonly retryAfterMs: number | undefined
  /** The key that a booking was sent with: repeat it under this one. */
  readonly idempotencyKey: string | undefined
  /** The service's own words (RFC 9457); undefined when the answer was not the service's. */
  readonly problem: Problem | undefined

  constructor(message: string, facts: Facts) {
    super(message, { cause: facts.cause })
    this.operation = facts.operation
    this.status = facts.status
    this.code = facts.code
    this.requestId = facts.requestId
    this.effect = facts.effect
    this.retryable = facts.retryable
    this.retryAfterMs = facts.retryAfterMs
    this.idempotencyKey = facts.idempotencyKey
    this.problem = facts.problem
  }
}
