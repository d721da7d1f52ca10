import { Type } from 'typebox'
import { ERRORS, type ErrorCode } from '../domain/error-table.ts'
import { AppError } from '../domain/errors.ts'

export const PROBLEM_MEDIA = 'application/problem+json'

/** Every operation may answer these; an example of each under every operation would be most of the document. */
const EVERYWHERE: readonly ErrorCode[] = [
  'malformed_request',
  'unknown_simulation',
  'unauthenticated',
  'insufficient_scope',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
  'overloaded',
  'store_unavailable',
]

/**
 * The `response` entries of a route that can fail with these codes, beside those of the middleware, which the
 * document adds by itself. It shows an example of each code.
 */
export function problems(...codes: ErrorCode[]): Record<number, ProblemEntry> {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const shown = group.filter((code) => !EVERYWHERE.includes(code))
      const examples = Object.fromEntries(shown.map((code) => [code, { summary: ERRORS[code].title }]))
      const description = group.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' ')
      const schema = Type.Ref('Problem')
      return [
        status,
        { description, content: { [PROBLEM_MEDIA]: { schema, ...(shown.length === 0 ? {} : { examples }) } } },
      ]
    }),
  )
}

type ProblemMedia = { readonly schema: object; readonly examples?: Readonly<Record<string, object>> }
export type ProblemEntry = { readonly description: string; readonly content: Readonly<Record<string, ProblemMedia>> }

/** Problem document of a code without a recorded example. */
export function plainProblem(code: ErrorCode): object {
  const { status, title, effect } = ERRORS[code]
  return { type: typeOf(code), title, status, detail: `${title}.`, instance: 'req_7d3k2m9q', code, effect }
}

const typeOf = (code: ErrorCode) => `/docs/errors#${code}`

type ProblemAnswer = { status: number; body: Record<string, unknown>; retryAfterSeconds: number | undefined }

/** Extra members of a problem document, such as the room at its new price. */
export type ProblemMembers = Readonly<Record<string, unknown>>
export type PresentMembers = (error: AppError) => ProblemMembers

/** The problem document of an error. A bug shows nothing but its request id. */
export function problemOf(error: unknown, requestId: string, members: PresentMembers = () => ({})): ProblemAnswer {
  const known = error instanceof AppError ? error : new AppError('internal', BUG_WORDS)
  const { status, title, effect } = ERRORS[known.code]
  return {
    status,
    body: {
      ...members(known),
      type: typeOf(known.code),
      title,
      status,
      detail: known.message,
      instance: requestId,
      code: known.code,
      effect,
      ...(known.errors.length > 0 ? { errors: known.errors } : {}),
    },
    retryAfterSeconds: known.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(known.retryAfterMs / 1000)),
  }
}

const BUG_WORDS =
  'An unexpected error. It is not known whether the request had an effect: read the state before you repeat it. Report the instance.'

/**
 * Replaces a lost database in a request that cannot have changed anything: such a request did nothing, and may be
 * repeated.
 */
export function withoutEffect<Failure>(error: Failure): Failure | AppError {
  if (!(error instanceof AppError) || error.code !== 'store_unavailable') return error
  const { retryAfterMs = 1_000, cause } = error
  return new AppError('overloaded', 'The database cannot be reached. This request did nothing. Try again shortly.', {
    retryAfterMs,
    cause,
  })
}
