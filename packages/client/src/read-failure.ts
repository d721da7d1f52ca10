import type { Problem } from './generated/api-types.ts'
import { isTransient, leavesEffectUnknown } from './policy.ts'
import { type Effect, SeraiError } from './serai-error.ts'

export type Attempt = {
  readonly operation: string
  readonly isSafe: boolean
  /** An earlier attempt of this call may have had an effect. */
  readonly hasUnknownEffect: boolean
  readonly requestId: string
  /** Repeats use the same idempotency key; without the header, the offer is the key. */
  readonly isKeyed: boolean
  readonly idempotencyKey: string | undefined
}

/** For an error response of the service or of a proxy. */
export function toResponseError(attempt: Attempt, response: Response, body: unknown): SeraiError {
  const { status, headers } = response
  const problem = parseProblem(body)
  const code = problem?.code ?? 'unreadable_answer'
  // The outcome of this key is final; a repeat gets the same response.
  const isSettled = headers.get('idempotent-replayed') === 'true'
  const effect = determineEffect(attempt, status, problem, isSettled)
  return new SeraiError(
    problem?.detail || problem?.title || `The response (${status}) did not come from the service.`,
    {
      ...attempt,
      status,
      code,
      requestId: headers.get('x-request-id') || problem?.instance || attempt.requestId,
      effect,
      retryable: !isSettled && isTransient(status, code) && isRetryable(attempt, effect),
      retryAfterMs: parseRetryAfter(headers.get('retry-after')),
      problem,
    },
  )
}

/** For an attempt without a complete response. */
export function toLostResponseError(
  attempt: Attempt,
  code: 'unreachable' | 'timeout' | 'unreadable_answer',
  cause: unknown,
  response?: Response,
): SeraiError {
  const messages = {
    unreachable: 'The service cannot be reached.',
    timeout: 'The service did not respond in time.',
    unreadable_answer: 'The response is incomplete or unreadable.',
  }
  const effect = attempt.isSafe ? 'none' : 'unknown'
  return new SeraiError(messages[code], {
    ...attempt,
    status: response?.status ?? 0,
    code,
    requestId: response?.headers.get('x-request-id') ?? attempt.requestId,
    effect,
    retryable: isRetryable(attempt, effect),
    cause,
  })
}

const isRetryable = ({ isKeyed }: Attempt, effect: Effect) => isKeyed || effect === 'none'

/**
 * Effect of the whole call. Without the service's own `effect`, a 4xx did nothing and anything else is unknown: a
 * proxy's 502, 503 or 504 does not say whether the service got the request.
 */
function determineEffect(
  { isSafe, hasUnknownEffect: isOpen }: Attempt,
  status: number,
  problem: Problem | undefined,
  isSettled: boolean,
): Effect {
  if (isSafe) return 'none'
  if (isOpen && leavesEffectUnknown(status, isSettled)) return 'unknown'
  return problem?.effect ?? (isSettled || status < 500 ? 'none' : 'unknown')
}

/**
 * The service's problem has a code and repeats the status; a proxy's JSON may have its own code. Invalid list
 * parameters are reported in `meta.errors`.
 */
function parseProblem(body: unknown): Problem | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if ('code' in body && typeof body.code === 'string' && 'status' in body && typeof body.status === 'number')
    return body as Problem
  const errors = Object((body as { meta?: unknown }).meta).errors as Problem['errors'] | undefined
  if (!Array.isArray(errors) || errors.length === 0) return undefined
  const detail = errors.map(({ message }) => message).join(' ')
  return {
    type: '/docs/errors#invalid_request',
    title: 'The request is not valid',
    status: 422,
    detail,
    instance: '',
    code: 'invalid_request',
    effect: 'none',
    errors,
  }
}

/** The header is a number of seconds or a date. */
function parseRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}
