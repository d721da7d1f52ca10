import type { Effect, SeraiError } from '../../../packages/client/src/index.ts'

export type FieldProblem = { readonly field: string; readonly code: string; readonly message: string }

/** A failed request, whether the service, a proxy or the network failed. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly fields: readonly FieldProblem[]
  readonly retryAfterMs: number
  /** `unknown`: the request may have had an effect, or the response was not the service's. */
  readonly effect: Effect
  /** The whole problem document; some codes have extra members. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(status: number, body: Record<string, unknown>, retryAfterMs = 0) {
    super(asText(body.detail) || asText(body.title) || `HTTP ${status}`)
    this.status = status
    this.code = asText(body.code) || (status === 0 ? 'unreachable' : 'unknown')
    this.requestId = asText(body.instance)
    this.fields = Array.isArray(body.errors) ? (body.errors as FieldProblem[]) : []
    this.retryAfterMs = retryAfterMs
    this.effect = body.effect === 'none' || (body.effect === undefined && isRefusal(status)) ? 'none' : 'unknown'
    this.body = body
  }
}

/** The user closed the sign-in dialog; not an error to show. */
export class SignInDeclined extends Error {
  override readonly name = 'SignInDeclined'
}

/** A 4xx means that the request was not carried out, even if a proxy sent it. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** After a lost or incomplete response the effect is unknown, so the problem has no status even if one arrived. */
export function toApiProblem({
  status,
  problem,
  effect,
  requestId,
  retryAfterMs = 0,
  message,
}: SeraiError): ApiProblem {
  const facts = { instance: requestId, effect }
  if (problem !== undefined) return new ApiProblem(status, { ...problem, ...facts }, retryAfterMs)
  return status >= 400
    ? new ApiProblem(status, facts, retryAfterMs)
    : new ApiProblem(0, { code: 'unreachable', detail: message, ...facts })
}
