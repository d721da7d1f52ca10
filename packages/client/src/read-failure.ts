import { leavesOpen, mayPass } from './policy.ts'
import { type Effect, SeraiError } from './serai-error.ts'
import type { Problem } from './shapes.ts'

/** One attempt of a call. */
export type Attempt = {
  readonly operation: string
  /** The call changes nothing. */
  readonly isSafe: boolean
  /** An earlier attempt of the same call may have done something. */
  readonly isOpen: boolean
  readonly requestId: string
  /** Repeats have the same idempotency key; without the header, the offer is the key. */
  readonly isKeyed: boolean
  readonly idempotencyKey: string | undefined
}

/** The error of a response that is not a success: a problem of the service, or the page of a proxy. */
export function answerError(attempt: Attempt, response: Response, body: unknown): SeraiError {
  const { status, headers } = response
  const problem = problemOf(body)
  const code = problem?.code ?? 'unreadable_answer'
  // The outcome of this key is final: a repeat gets the same bytes.
  const isSettled = headers.get('idempotent-replayed') === 'true'
  const effect = effectOf(attempt, status, problem, isSettled)
  return new SeraiError(problem?.detail || problem?.title || `The answer was ${status} and not the service's.`, {
    ...attempt,
    status,
    code,
    requestId: headers.get('x-request-id') || problem?.instance || attempt.requestId,
    effect,
    retryable: !isSettled && mayPass(status, code) && isRepeatable(attempt, effect),
    retryAfterMs: waitOf(headers.get('retry-after')),
    problem,
  })
}

/** The error of an attempt without a complete response. */
export function lostError(
  attempt: Attempt,
  code: 'unreachable' | 'timeout' | 'unreadable_answer',
  cause: unknown,
  response?: Response,
): SeraiError {
  const words = {
    unreachable: 'The service cannot be reached.',
    timeout: 'The service did not answer in time.',
    unreadable_answer: 'The answer cannot be read, or is not whole.',
  }
  const effect = attempt.isSafe ? 'none' : 'unknown'
  return new SeraiError(words[code], {
    ...attempt,
    status: response?.status ?? 0,
    code,
    requestId: response?.headers.get('x-request-id') ?? attempt.requestId,
    effect,
    retryable: isRepeatable(attempt, effect),
    cause,
  })
}

const isRepeatable = ({ isKeyed }: Attempt, effect: Effect) => isKeyed || effect === 'none'

/**
 * Effect of the whole call. Without the service's own word, a refusal (4xx) did nothing and anything else is unknown: a
 * proxy's 502, 503 or 504 does not say whether the service got the request.
 */
function effectOf(
  { isSafe, isOpen }: Attempt,
  status: number,
  problem: Problem | undefined,
  isSettled: boolean,
): Effect {
  if (isSafe) return 'none'
  if (isOpen && leavesOpen(status, isSettled)) return 'unknown'
  return problem?.effect ?? (isSettled || status < 500 ? 'none' : 'unknown')
}

/** Of the service: it has a code and repeats the status; JSON of a proxy may have a code of its own. The refusal of list parameters stands in `meta.errors` instead. */
function problemOf(body: unknown): Problem | undefined {
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

/** Seconds, or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = Number(header)
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined
}
