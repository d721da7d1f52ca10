import { Type } from 'typebox'
import { ERRORS, type ErrorCode } from '../domain/error-table.ts'
import { AppError } from '../domain/errors.ts'

export const PROBLEM_MEDIA = 'application/problem+json'

/** Any operation may fail with these. They have no examples, which would make up most of the document. */
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

/** `response` entries for the codes of a route; the API description adds those of the middleware. */
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
  return { type: typeUri(code), title, status, detail: `${title}.`, instance: 'req_7d3k2m9q', code, effect }
}

const typeUri = (code: ErrorCode) => `/docs/errors#${code}`

type ProblemAnswer = { status: number; body: Record<string, unknown>; retryAfterSeconds: number | undefined }

/** Extra members of a problem document, such as the room at its new price. */
export type ProblemMembers = Readonly<Record<string, unknown>>
export type PresentMembers = (error: AppError) => ProblemMembers

/** A bug shows only its request id. */
export function toProblem(error: unknown, requestId: string, members: PresentMembers = () => ({})): ProblemAnswer {
  const known = error instanceof AppError ? error : new AppError('internal', BUG_DETAIL)
  const { status, title, effect } = ERRORS[known.code]
  return {
    status,
    body: {
      ...members(known),
      type: typeUri(known.code),
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

const BUG_DETAIL =
  'An unexpected error occurred. The request may have had an effect: read the state before you repeat it. Report the instance.'

/** Replaces `store_unavailable` if the request cannot have changed anything: it may then be repeated. */
export function withoutEffect<Failure>(error: Failure): Failure | AppError {
  if (!(error instanceof AppError) || error.code !== 'store_unavailable') return error
  const { retryAfterMs = 1_000, cause } = error
  return new AppError('overloaded', 'The database cannot be reached. This request did nothing. Try again shortly.', {
    retryAfterMs,
    cause,
  })
}
