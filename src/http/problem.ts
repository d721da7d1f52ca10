import { Type } from 'typebox'
import { AppError, type ErrorCode } from '../domain/app-error.ts'

/** Status and title of every code. The title never changes for a code; `detail` tells about this one case. */
export const PROBLEMS = {
  malformed_request: [400, 'The request could not be read'],
  unknown_simulation: [400, 'Unknown simulation'],
  unauthenticated: [401, 'A valid token is needed'],
  invalid_credentials: [401, 'E-mail or password is wrong'],
  not_found: [404, 'Not found'],
  location_not_found: [404, 'No such location'],
  search_not_found: [404, 'No such search'],
  property_not_found: [404, 'No such property in this search'],
  booking_not_found: [404, 'No such booking'],
  webhook_not_found: [404, 'No such webhook'],
  method_not_allowed: [405, 'This path has no such method'],
  request_timeout: [408, 'The request took too long to arrive'],
  price_changed: [409, 'The price has changed'],
  sold_out: [409, 'Sold out'],
  booking_rejected: [409, 'The vendor refused the booking'],
  request_in_progress: [409, 'The first request is still running'],
  not_cancellable: [409, 'This booking cannot be cancelled'],
  search_expired: [410, 'The search has expired'],
  offer_expired: [410, 'The offer has expired'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be JSON'],
  invalid_request: [422, 'The request is not valid'],
  location_too_large: [422, 'The location is too large to search'],
  offer_invalid: [422, 'The offer is not one of ours'],
  card_data_not_accepted: [422, 'Card data is not accepted'],
  idempotency_mismatch: [422, 'The idempotency key belongs to another request'],
  sign_in_locked: [429, 'Too many failed sign-ins'],
  rate_limited: [429, 'Too many requests'],
  headers_too_large: [431, 'The address and headers are too long'],
  internal: [500, 'Something went wrong on our side'],
  vendors_failed: [502, 'No vendor could answer'],
  overloaded: [503, 'Overloaded or shutting down'],
  vendor_timeout: [504, 'No vendor answered in time'],
} as const satisfies Record<ErrorCode, readonly [number, string]>

export const FieldErrorSchema = Type.Object({
  field: Type.String({ description: 'Where: a path such as `occupancies[0].adults`, a parameter or a header.' }),
  code: Type.String({ description: 'Stable and machine-readable.' }),
  message: Type.String({ description: 'What is wrong and the way out.' }),
})

export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: 'The request id, as in `x-request-id`.' }),
    code: Type.Enum([...Object.keys(PROBLEMS)]),
    errors: Type.Optional(Type.Array(FieldErrorSchema)),
  },
  { $id: 'Problem', title: 'Problem', description: 'RFC 9457 problem details.', additionalProperties: true },
)

const MEDIA = 'application/problem+json'

/** The `response` entries of a route that can fail with these codes: documentation and serialiser in one list. */
export function problems(...codes: ErrorCode[]): Record<number, object> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code][0])
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}.`).join(' '),
        content: { [MEDIA]: { schema: Type.Ref('Problem'), example: exampleOf(group[0] ?? 'internal') } },
      },
    ]),
  )
}

function exampleOf(code: ErrorCode): object {
  const [status, title] = PROBLEMS[code]
  return { type: typeOf(code), title, status, detail: `${title}.`, instance: 'req_7d3k2m9q', code }
}

const typeOf = (code: ErrorCode) => `/docs/errors#${code}`

export type ProblemAnswer = { status: number; body: Record<string, unknown>; retryAfterSeconds: number | undefined }

/** What the client sees of an error. A bug shows nothing but its request id. */
export function problemOf(error: unknown, requestId: string): ProblemAnswer {
  const known = error instanceof AppError ? error : new AppError('internal', BUG_WORDS)
  const [status, title] = PROBLEMS[known.code]
  return {
    status,
    body: {
      ...known.extra,
      type: typeOf(known.code),
      title,
      status,
      detail: known.message,
      instance: requestId,
      code: known.code,
      ...(known.errors.length > 0 ? { errors: known.errors } : {}),
    },
    retryAfterSeconds: known.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(known.retryAfterMs / 1000)),
  }
}

const BUG_WORDS =
  'An unexpected error. Nothing is known to be wrong with your request; quote the instance when you report it.'
