import type { Problem } from './generated/api-types.ts'

/** Codes set by the client, in addition to those in docs/errors.md. */
export type ClientCode =
  /** No response: name resolution, network or server failed. */
  | 'unreachable'
  /** No complete response within the operation's timeout. */
  | 'timeout'
  /** The response is incomplete or not the service's, such as a proxy's page. */
  | 'unreadable_answer'

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

/** A failed call, whether the service, a proxy or the network failed. */
export class SeraiError extends Error {
  override readonly name = 'SeraiError'
  /** Such as `booking.create`. */
  readonly operation: string
  /** HTTP status; 0 if no response arrived. */
  readonly status: number
  readonly code: SeraiErrorCode
  /** Identifies the call in the service's log; known even without a response. */
  readonly requestId: string
  /** `unknown`: the call may have had an effect. Repeat it with the same idempotency key, or read the state first. */
  readonly effect: Effect
  /** True if repeating the call cannot have a second effect and may succeed. */
  readonly retryable: boolean
  /** Delay requested by the service. */
  readonly retryAfterMs: number | undefined
  /** Key of the booking; repeat it with this one. */
  readonly idempotencyKey: string | undefined
  /** Problem document of the service (RFC 9457); undefined if the response was not the service's. */
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
