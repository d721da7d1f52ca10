import { Type } from 'typebox'
import { AppError, type ErrorCode } from '../domain/errors.ts'

/** Status and title of every code. The title never changes for a code; `detail` tells about this one case. */
export const PROBLEMS = {
  malformed_request: [400, 'The request could not be read'],
  unknown_simulation: [400, 'Unknown simulation'],
  unauthenticated: [401, 'A valid token is needed'],
  invalid_credentials: [401, 'E-mail or password is wrong'],
  totp_required: [401, 'A one-time code is needed'],
  budget_exceeded: [402, 'The budget of the key is used up'],
  insufficient_scope: [403, 'The key or the role does not permit this'],
  sign_in_needed: [403, 'Guests must sign in for this'],
  not_found: [404, 'Not found'],
  location_not_found: [404, 'No such location'],
  search_not_found: [404, 'No such search'],
  property_not_found: [404, 'No such property in this search'],
  booking_not_found: [404, 'No such booking'],
  webhook_not_found: [404, 'No such webhook'],
  delivery_not_found: [404, 'No such delivery'],
  rules_not_found: [404, 'No such version of the rules'],
  account_not_found: [404, 'No such account'],
  key_not_found: [404, 'No such key'],
  session_not_found: [404, 'No such session'],
  method_not_allowed: [405, 'This path has no such method'],
  not_acceptable: [406, 'There is no answer of this type'],
  request_timeout: [408, 'The request took too long to arrive'],
  price_changed: [409, 'The price has changed'],
  terms_changed: [409, 'The terms have changed'],
  sold_out: [409, 'Sold out'],
  booking_rejected: [409, 'The vendor refused the booking'],
  request_in_progress: [409, 'The first request is still running'],
  not_cancellable: [409, 'This booking cannot be cancelled'],
  not_amendable: [409, 'This booking cannot be changed'],
  not_possible: [409, 'Not possible as things stand'],
  no_voucher: [409, 'This booking has no voucher'],
  webhook_disabled: [409, 'The webhook is disabled'],
  rules_changed: [409, 'Somebody else has changed the rules'],
  search_expired: [410, 'The search has expired'],
  offer_expired: [410, 'The offer has expired'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be JSON'],
  expectation_failed: [417, 'The expectation cannot be met'],
  invalid_request: [422, 'The request is not valid'],
  location_too_large: [422, 'The location is too large to search'],
  offer_invalid: [422, 'The offer is not one of ours'],
  offer_used: [422, 'The offer was booked before'],
  guests_required: [422, 'The guests must be named'],
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
]

/**
 * The `response` entries of a route that can fail with these codes, beside those that the frame may answer to any request, which the
 * document adds by itself. It shows an example of each code.
 */
export function problems(...codes: ErrorCode[]): Record<number, ProblemEntry> {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code][0])
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => {
      const shown = group.filter((code) => !EVERYWHERE.includes(code))
      const examples = Object.fromEntries(shown.map((code) => [code, { summary: PROBLEMS[code][1] }]))
      const description = group.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}.`).join(' ')
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

/** What a problem looks like that no example was recorded of. */
export function plainProblem(code: ErrorCode): object {
  const [status, title] = PROBLEMS[code]
  return { type: typeOf(code), title, status, detail: `${title}.`, instance: 'req_7d3k2m9q', code }
}

const typeOf = (code: ErrorCode) => `/docs/errors#${code}`

type ProblemAnswer = { status: number; body: Record<string, unknown>; retryAfterSeconds: number | undefined }

/** Extra members of a problem document, such as the room at its new price. */
export type ProblemMembers = Readonly<Record<string, unknown>>
export type PresentMembers = (error: AppError) => ProblemMembers

/** The problem document of an error. A bug shows nothing but its request id. */
export function problemOf(error: unknown, requestId: string, members: PresentMembers = () => ({})): ProblemAnswer {
  const known = error instanceof AppError ? error : new AppError('internal', BUG_WORDS)
  const [status, title] = PROBLEMS[known.code]
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
      ...(known.errors.length > 0 ? { errors: known.errors } : {}),
    },
    retryAfterSeconds: known.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(known.retryAfterMs / 1000)),
  }
}

const BUG_WORDS =
  'An unexpected error. Nothing is known to be wrong with your request; quote the instance when you report it.'
