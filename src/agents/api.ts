import type { Scope } from '../domain/access.ts'
import type { Effect } from '../domain/errors.ts'

/**
 * The tools are a client of our own API, in the same process: what a token or key may not do there, it may not do here, and
 * scopes, budgets, rate limits, validation and the history of bookings are those of the API.
 */
type ApiRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: unknown
  readonly idempotencyKey?: string
  /** Bookings and cancellations go on when the agent hangs up. */
  readonly outlivesClient?: boolean
}
export type ApiAnswer = { readonly status: number; readonly body: unknown }

/** The caller of a tool. */
export type Agent = {
  readonly accountId: string
  /** Its key, or the account itself. */
  readonly principal: string
  /** What its role and key permit. */
  readonly scopes: readonly Scope[]
  call(request: ApiRequest): Promise<ApiAnswer>
}

/** A failure that the model can correct or report to its user; every other error is a bug. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string
  /** Facts that help to go on, such as the current terms, and `effect` if the API reported it. */
  readonly facts: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.code = code
    this.facts = facts
  }
}

type Problem = {
  readonly code?: string
  readonly effect?: Effect
  readonly detail?: string
  /** Of a list whose parameters are wrong. */
  readonly meta?: { readonly errors?: readonly { readonly message: string }[] }
  readonly [member: string]: unknown
}

/** Members of a problem that a model can use. Rooms and notices hold text of vendors, and sealed offers. */
const TOLD = [
  'errors',
  'choose_instead',
  'booking_id',
  'booking_status',
  'budget',
  'old_total',
  'new_total',
  'currency',
]

export function toolErrorOf({ status, body }: ApiAnswer): ToolError {
  const problem: Problem = Object(body)
  const [wrong] = problem.meta?.errors ?? []
  if (wrong !== undefined) return new ToolError('invalid_request', wrong.message)
  const facts = Object.fromEntries(
    TOLD.filter((name) => problem[name] !== undefined).map((name) => [name, problem[name]]),
  )
  const effect = problem.effect ?? (status >= 500 ? 'unknown' : 'none')
  const message = problem.detail ?? 'The request could not be answered.'
  return new ToolError(problem.code ?? `http_${status}`, message, { effect, ...facts })
}

/** The body of an answer, or a tool error. Its shape is the API's own, which tests hold against its schema. */
export async function ask<T>(agent: Agent, request: ApiRequest): Promise<T> {
  const answer = await agent.call(request)
  if (answer.status >= 400) throw toolErrorOf(answer)
  return answer.body as T
}
