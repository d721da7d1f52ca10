import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { Call, Reply } from '../transport/call.ts'
import { type Effect, VendorError, type VendorFault } from '../vendor-error.ts'
import { asList, asNumberOrZero, asRecord, asRecords, asText } from '../wire/read.ts'

export const RAPID = 'expedia_rapid'

/** A response, or one of our own references, is invalid. */
export const malformed = (detail: string, effect: Effect = 'none'): VendorError =>
  new VendorError(RAPID, 'malformed', effect, { detail })

/** Refusals that Rapid documents as made before anything was booked, changed or cancelled. */
const REFUSED =
  'cancel.post_checkout customer_ip.required family_name.invalid family_name.required given_name.invalid ' +
  'given_name.required test.content_invalid'
const REFUSALS = new Map<string, VendorFault>([
  ['price_mismatch', 'price_changed'],
  ['rooms_unavailable', 'sold_out'],
  ['link.invalid', 'expired'],
  ['link.expired', 'expired'],
  ...REFUSED.split(' ').map((type): [string, VendorFault] => [type, 'refused']),
])
/** Order of precedence if a response contains several refusals. */
const PRIORITY: readonly VendorFault[] = ['price_changed', 'sold_out', 'expired', 'refused']

/**
 * Returns undefined for success. Effect `none` is proved by 401, 403, 426, 429 or a documented refusal, and for a
 * booking also by Rapid's report that the request is invalid.
 */
export function readFailure(call: Call, reply: Reply, now: number): VendorError | undefined {
  const { status } = reply
  if (status >= 200 && status < 300) return undefined
  const types = errorTypes(reply.body)
  const detail = types.length > 0 ? `${status} ${types.slice(0, 5).join(', ')}` : `status ${status}`
  const fail = (fault: VendorFault, effect: Effect, more: { detail?: string; retryAfterMs?: number } = {}) =>
    new VendorError(RAPID, fault, effect, { detail, ...more })

  if (status === 401 || status === 403)
    return fail('credentials', 'none', { detail: describeClockSkew(reply.body, now) ?? detail })
  if (status === 426) return fail('credentials', 'none', { detail: `${detail}: Rapid only answers https` })
  if (status === 429) return fail('throttled', 'none', { retryAfterMs: retryAfterMs(reply, now) })
  // Not a refusal: the booking exists.
  if (types.some((type) => type.includes('duplicate'))) return fail('duplicate', 'unknown')
  // Expedia requires a look-up before such a booking is treated as refused.
  if (call.class === 'book' && (status === 409 || status === 410))
    return fail(readRefusal(types) ?? 'refused', call.ifLost)
  // A 5xx is never proof, whatever its body says: an expired book link and a lost booking look the same.
  if (status >= 500) return fail('unavailable', call.ifLost)
  const refusal = readRefusal(types)
  if (refusal !== undefined) return fail(refusal, 'none')
  if (call.class === 'book' && status === 400 && isInvalidInput(reply.body)) return fail('refused', 'none')
  // "No such itinerary" is documented for every call except the one that creates an itinerary.
  if (isOwn404(reply)) return fail('not_found', call.method === 'POST' ? call.ifLost : 'none')
  if (status === 404) return fail('unavailable', call.ifLost)
  if (status === 410) return fail('expired', call.ifLost)
  return fail(status === 400 ? 'refused' : 'malformed', call.ifLost)
}

/** Time (epoch ms) until which calls must pause after this response; 0 for none. */
export function holdOff(reply: Reply, now: number): number {
  const spent = reply.headers['rate-limit-minute-remaining'] === '0'
  return reply.status === 429 || spent ? now + retryAfterMs(reply, now) : 0
}

/** Rapid's own 404. The error page of a proxy with the same status proves nothing. */
const isOwn404 = ({ status, body }: Reply): boolean =>
  status === 404 && errorTypes(body).some((type) => type.endsWith('not_found'))

/** Rapid validates a request before acting on it, and names every problem. */
function isInvalidInput(body: unknown): boolean {
  const types = nestedTypes(body)
  return asRecord(body)?.type === 'invalid_input' && types.length > 0 && !types.includes('')
}

const nestedTypes = (body: unknown): string[] => asList(asRecord(body)?.errors).map((entry) => readErrorType(entry))
const readErrorType = (error: unknown): string => asText(asRecord(error)?.type).slice(0, 100)

/** Nested error types if there are any, else the top-level one. */
export function errorTypes(body: unknown): string[] {
  const nested = nestedTypes(body)
  return (nested.length > 0 ? nested : [readErrorType(body)]).filter((type) => type !== '')
}

/** Requires that every reason is documented: an unknown one might mean that something was done. */
function readRefusal(types: readonly string[]): VendorFault | undefined {
  const faults = types.map((type) => REFUSALS.get(type))
  return faults.includes(undefined) ? undefined : PRIORITY.find((fault) => faults.includes(fault))
}

function retryAfterMs(reply: Reply, now: number): number {
  const resetAt = Number(reply.headers['rate-limit-minute-reset'])
  const seconds = Number(reply.headers['retry-after'])
  const wait = resetAt > now ? resetAt - now : seconds > 0 ? seconds * 1000 : MINUTE_MS / 12
  return Math.min(wait, MINUTE_MS)
}

/** A 401 contains Rapid's own time, so clock skew can be reported as the cause. */
function describeClockSkew(body: unknown, now: number): string | undefined {
  const fields = asRecords(asRecord(body)?.fields)
  const field = fields.find((entry) => entry.name === 'servertimestamp')
  const seconds = Math.round(now / 1000 - asNumberOrZero(field?.value))
  if (field === undefined || Math.abs(seconds) < 300) return undefined
  return `signature refused: our clock differs from Rapid's by ${seconds} s`
}
