import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { Call, Reply } from '../transport/call.ts'
import { type Effect, VendorError, type VendorFault } from '../vendor-error.ts'
import { listOf, numberOf, recordOf, recordsOf, textOf } from '../wire/read.ts'

export const RAPID = 'expedia_rapid'

/** An answer, or one of our own references, that is not what it should be. */
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
/** Which refusal is told when one answer names several. */
const FIRST: readonly VendorFault[] = ['price_changed', 'sold_out', 'expired', 'refused']

/**
 * Why an answer is no success; undefined when it is one. That a call which changes something did nothing is proved by 401,
 * 403, 426 and 429, by a documented refusal, and of a booking by Rapid's own word that the request is invalid.
 */
export function failureOf(call: Call, reply: Reply, now: number): VendorError | undefined {
  const { status } = reply
  if (status >= 200 && status < 300) return undefined
  const types = errorTypes(reply.body)
  const detail = types.length > 0 ? `${status} ${types.slice(0, 5).join(', ')}` : `status ${status}`
  const fail = (fault: VendorFault, effect: Effect, more: { detail?: string; retryAfterMs?: number } = {}) =>
    new VendorError(RAPID, fault, effect, { detail, ...more })

  if (status === 401 || status === 403)
    return fail('credentials', 'none', { detail: skewed(reply.body, now) ?? detail })
  if (status === 426) return fail('credentials', 'none', { detail: `${detail}: only https is answered` })
  if (status === 429) return fail('throttled', 'none', { retryAfterMs: retryAfterMs(reply, now) })
  // No refusal: the booking exists.
  if (types.some((type) => type.includes('duplicate'))) return fail('duplicate', 'unknown')
  // Expedia asks to look a booking up after these before it is taken for refused.
  if (call.class === 'book' && (status === 409 || status === 410))
    return fail(refusalOf(types) ?? 'refused', call.ifLost)
  // A 5xx is never proof, whatever its body says: an expired book link and a lost booking look the same.
  if (status >= 500) return fail('unavailable', call.ifLost)
  const refusal = refusalOf(types)
  if (refusal !== undefined) return fail(refusal, 'none')
  if (call.class === 'book' && status === 400 && isInvalidInput(reply.body)) return fail('refused', 'none')
  // "No such itinerary" is a documented answer to every call but the one that makes an itinerary.
  if (isOwn404(reply)) return fail('not_found', call.method === 'POST' ? call.ifLost : 'none')
  if (status === 404) return fail('unavailable', call.ifLost)
  if (status === 410) return fail('expired', call.ifLost)
  return fail(status === 400 ? 'refused' : 'malformed', call.ifLost)
}

/** Until when (epoch ms) to make no calls after this answer; 0 for "go on". */
export function holdOff(reply: Reply, now: number): number {
  const spent = reply.headers['rate-limit-minute-remaining'] === '0'
  return reply.status === 429 || spent ? now + retryAfterMs(reply, now) : 0
}

/** Rapid's own "no such thing". The page of a proxy with the same status says nothing. */
const isOwn404 = ({ status, body }: Reply): boolean =>
  status === 404 && errorTypes(body).some((type) => type.endsWith('not_found'))

/** Rapid checks a request before it acts on it, and names whatever is wrong. */
function isInvalidInput(body: unknown): boolean {
  const types = nestedTypes(body)
  return recordOf(body)?.type === 'invalid_input' && types.length > 0 && !types.includes('')
}

const nestedTypes = (body: unknown): string[] => listOf(recordOf(body)?.errors).map((entry) => typeOf(entry))
const typeOf = (error: unknown): string => textOf(recordOf(error)?.type).slice(0, 100)

/** The named types of an error body: the nested ones where there are any, else the flat one. */
export function errorTypes(body: unknown): string[] {
  const nested = nestedTypes(body)
  return (nested.length > 0 ? nested : [typeOf(body)]).filter((type) => type !== '')
}

/** Only when every reason is a documented one: an unknown reason beside it might mean something else was done. */
function refusalOf(types: readonly string[]): VendorFault | undefined {
  const faults = types.map((type) => REFUSALS.get(type))
  return faults.includes(undefined) ? undefined : FIRST.find((fault) => faults.includes(fault))
}

function retryAfterMs(reply: Reply, now: number): number {
  const resetAt = Number(reply.headers['rate-limit-minute-reset'])
  const seconds = Number(reply.headers['retry-after'])
  const wait = resetAt > now ? resetAt - now : seconds > 0 ? seconds * 1000 : MINUTE_MS / 12
  return Math.min(wait, MINUTE_MS)
}

/** Rapid repeats its own time in a 401, so a wrong clock can be named as the cause. */
function skewed(body: unknown, now: number): string | undefined {
  const fields = recordsOf(recordOf(body)?.fields)
  const field = fields.find((entry) => entry.name === 'servertimestamp')
  const seconds = Math.round(now / 1000 - numberOf(field?.value))
  if (field === undefined || Math.abs(seconds) < 300) return undefined
  return `signature refused: our clock differs from Rapid's by ${seconds} s`
}
