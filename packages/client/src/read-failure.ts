import { SeraiError, type SeraiErrorCode } from './serai-error.ts'
import type { Problem } from './shapes.ts'

/** What is known of one attempt. */
export type Attempt = {
  readonly operation: string
  readonly isRepeatable: boolean
  readonly requestId: string
  readonly idempotencyKey: string | undefined
}

/** The service certainly did nothing: every operation may be sent again. */
const NOT_ACTED: readonly SeraiErrorCode[] = ['rate_limited', 'sign_in_locked', 'overloaded']
/** May go better another time; sent again only where that is safe. */
const PASSING: readonly SeraiErrorCode[] = [
  'request_in_progress',
  'request_timeout',
  'vendors_failed',
  'vendor_timeout',
  'internal',
]
const PASSING_STATUS = [408, 425, 429, 500, 502, 503, 504]

/** The error of an answer that is no success: the service's own problem, or whatever a proxy wrote. */
export function answerError(attempt: Attempt, response: Response, body: unknown): SeraiError {
  const { status, headers } = response
  const problem = problemOf(body)
  const code = problem?.code ?? 'unreadable_answer'
  // The outcome of this key is settled: asking again gets the same bytes.
  const isSettled = headers.get('idempotent-replayed') === 'true'
  const mayPass = problem === undefined ? PASSING_STATUS.includes(status) : PASSING.includes(code)
  return new SeraiError(problem?.detail || problem?.title || `The answer was ${status} and not the service's.`, {
    ...attempt,
    status,
    code,
    requestId: headers.get('x-request-id') || problem?.instance || attempt.requestId,
    retryable: !isSettled && (NOT_ACTED.includes(code) || (attempt.isRepeatable && mayPass)),
    retryAfterMs: waitOf(headers.get('retry-after')),
    problem,
  })
}

/** The error of an attempt without a whole answer. */
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
  return new SeraiError(words[code], {
    ...attempt,
    status: response?.status ?? 0,
    code,
    requestId: response?.headers.get('x-request-id') ?? attempt.requestId,
    retryable: attempt.isRepeatable,
    cause,
  })
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
