import type { Scope } from '../domain/access.ts'
import type { Effect } from '../domain/errors.ts'

/** The tools call our own API, so that its permissions, limits, validation and history apply. */
type ApiRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly body?: unknown
  readonly idempotencyKey?: string
  /** Bookings and cancellations continue if the agent disconnects. */
  readonly outlivesClient?: boolean
}
export type ApiAnswer = { readonly status: number; readonly body: unknown }

/** The caller of a tool. */
export type Agent = {
  readonly accountId: string
  /** Id of the key, or of the account. */
  readonly principal: string
  readonly scopes: readonly Scope[]
  call(request: ApiRequest): Promise<ApiAnswer>
}

/** A failure that the model can correct or report to its user; every other error is a bug. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly code: string
  /** Details for the next step, such as the current terms, and `effect` if the API reported it. */
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
  /** Set for a list with invalid parameters. */
  readonly meta?: { readonly errors?: readonly { readonly message: string }[] }
  readonly [member: string]: unknown
}

/** Members of a problem that a model can use. Others contain text of vendors or sealed offers. */
const PROBLEM_MEMBERS = [
  'errors',
  'choose_instead',
  'booking_id',
  'booking_status',
  'budget',
  'old_total',
  'new_total',
  'currency',
  'payment',
]

export function toToolError({ status, body }: ApiAnswer): ToolError {
  const problem: Problem = Object(body)
  const [wrong] = problem.meta?.errors ?? []
  if (wrong !== undefined) return new ToolError('invalid_request', wrong.message)
  const facts = Object.fromEntries(
    PROBLEM_MEMBERS.filter((name) => problem[name] !== undefined).map((name) => [name, problem[name]]),
  )
  const effect = problem.effect ?? (status >= 500 ? 'unknown' : 'none')
  const message = problem.detail ?? 'The request failed.'
  return new ToolError(problem.code ?? `http_${status}`, message, { effect, ...facts })
}

/** Throws a tool error for an error response. Tests check the responses against the API's schema. */
export async function requestApi<T>(agent: Agent, request: ApiRequest): Promise<T> {
  const answer = await agent.call(request)
  if (answer.status >= 400) throw toToolError(answer)
  return answer.body as T
}
