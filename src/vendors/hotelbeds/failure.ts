import { SECOND_MS } from '../../lib/time/durations.ts'
import type { Call, Reply } from '../transport/call.ts'
import { type Effect, VendorError, type VendorFault } from '../vendor-error.ts'
import { asRecord, asText } from '../wire/read.ts'

/**
 * Messages that prove that nothing was done, from the vendor's error list, its support answers (2016–2020) and its
 * current documentation. After any other message the outcome is unknown.
 */
const FINAL: readonly (readonly [RegExp, VendorFault])[] = [
  [/insufficient allotment|allotment exceeded/i, 'sold_out'],
  [/price has (?:increased|changed)|price difference exceeds/i, 'price_changed'],
  [/stop sales?/i, 'sold_out'],
  [/release (?:has been |is )?violated|contract (?:is )?closed|minimum stay/i, 'sold_out'],
  [/hotel not available|not available for/i, 'sold_out'],
  [/not enough space/i, 'refused'],
  [/cannot cancel|cannot be amended|does not allow cancellation|check-in date in the past/i, 'refused'],
]

/** Sent if the confirmation failed half-way, which is not a refusal. */
const BROKEN_CONFIRMATION = /booking confirmation error/i
const OLD_KEY = /rate ?key[^:]{0,40}:?.{0,80}(?:does not exist|expired|only last)|invalid rate ?key/i
const OVER_QUOTA = /quota|over (?:qps|rate)|rate limit/i
/** Limits that reset within a second. */
const TOO_FAST = /over qps|rate limit/i

type Failure = { readonly fault: VendorFault; readonly effect: Effect }

/** Returns undefined for success. `secrets` are removed from the message. */
export function readFailure(call: Call, reply: Reply, secrets: readonly string[]): VendorError | undefined {
  const error = asRecord(reply.body)?.error
  if (reply.status < 400 && error === undefined) return undefined
  const problem = readError(error, reply)
  const { fault, effect } =
    problem.category === '' ? gatewayFailure(call, reply, problem.message) : applicationFailure(call, reply, problem)
  const detail = [reply.status, problem.category, redact(problem.message, secrets)]
    .filter((part) => part !== '')
    .join(' ')
  const retryAfterMs = fault === 'throttled' ? readRetryAfter(reply) : undefined
  return new VendorError('hotelbeds', fault, effect, { detail, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** The gateway sends `{"error": "text"}`, the application `{"error": {"code": "CATEGORY-token", …}}`. */
function readError(error: unknown, reply: Reply): { category: string; message: string } {
  const inner = asRecord(error)
  if (inner === undefined) return { category: '', message: asText(error) || (reply.text ?? '') }
  return { category: asText(inner.code).split('-', 1)[0] ?? '', message: asText(inner.message) }
}

/** An older gateway sends the reason in a header as well. */
const gatewayMessage = (reply: Reply, message: string): string =>
  `${message} ${reply.headers['x-mashery-error-code']?.replaceAll('_', ' ') ?? ''}`

/** Responses of the gateway and of proxies: no category, often not JSON. */
function gatewayFailure(call: Call, reply: Reply, message: string): Failure {
  const { status } = reply
  if (status === 429 || (status === 403 && OVER_QUOTA.test(gatewayMessage(reply, message))))
    return { fault: 'throttled', effect: 'none' }
  if (status === 401 || status === 403) return { fault: 'credentials', effect: 'none' }
  if (status === 402 || status === 406 || status === 415) return { fault: 'refused', effect: 'none' }
  return { fault: status < 400 ? 'malformed' : 'unavailable', effect: call.ifLost }
}

/** Responses of the application, which contain an error category. */
function applicationFailure(
  call: Call,
  reply: Reply,
  { category, message }: { category: string; message: string },
): Failure {
  if (reply.status === 429) return { fault: 'throttled', effect: 'none' }
  if (BROKEN_CONFIRMATION.test(message)) return { fault: 'unavailable', effect: call.ifLost }
  switch (category) {
    case 'INVALID_REQUEST':
    case 'INVALID_DATA':
      return { fault: dataFault(reply.status, message), effect: 'none' }
    case 'CONFIGURATION_ERROR':
      return { fault: 'credentials', effect: 'none' }
    case 'PRODUCT_ERROR':
      return productFailure(call, message)
    default:
      return { fault: 'unavailable', effect: call.ifLost }
  }
}

/** A 410 repeats the message of the request's first failure. */
function dataFault(status: number, message: string): VendorFault {
  if (OLD_KEY.test(message)) return 'expired'
  const final = finalFault(message)
  if (final !== undefined) return final
  return status === 404 || /does not exist/i.test(message) ? 'not_found' : 'refused'
}

function productFailure(call: Call, message: string): Failure {
  if (OLD_KEY.test(message)) return { fault: 'expired', effect: 'none' }
  const fault = finalFault(message)
  if (fault !== undefined) return { fault, effect: 'none' }
  // According to the vendor's documentation, a booking was not made if it ends with any product error.
  return call.class === 'book' ? { fault: 'refused', effect: 'none' } : { fault: 'unavailable', effect: call.ifLost }
}

const finalFault = (message: string) => FINAL.find(([pattern]) => pattern.test(message))?.[1]

function redact(message: string, secrets: readonly string[]): string {
  let clean = message.replace(/\s+/g, ' ').slice(0, 300)
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '***')
  return clean.slice(0, 200)
}

function readRetryAfter(reply: Reply): number | undefined {
  const seconds = Number(reply.headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** Hotelbeds uses status 500 for "sold out" and similar; only the category distinguishes them from real errors. */
export function isRefusalReply(reply: Reply): boolean {
  const error = asRecord(reply.body)?.error
  return error !== undefined && readError(error, reply).category === 'PRODUCT_ERROR'
}

/** Time (epoch ms) until which calls must pause after this response; 0 for none. */
export function holdOffAfter(reply: Reply, now: number): number {
  const words = gatewayMessage(reply, readError(asRecord(reply.body)?.error, reply).message)
  if (reply.status === 429 || (reply.status === 403 && TOO_FAST.test(words)))
    return now + Math.min(readRetryAfter(reply) ?? 2 * SECOND_MS, 120 * SECOND_MS)
  // A daily quota is not renewed within seconds: try again after a quarter of an hour.
  return reply.status === 403 && OVER_QUOTA.test(words) ? now + 900 * SECOND_MS : 0
}

/** For a response, or a request of ours, that cannot be used. */
export function fail(fault: VendorFault, effect: Effect, detail: string): never {
  throw new VendorError('hotelbeds', fault, effect, { detail })
}
