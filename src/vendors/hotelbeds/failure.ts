import { SECOND_MS } from '../../lib/time/durations.ts'
import type { Call, Reply } from '../transport/call.ts'
import { type Effect, VendorError, type VendorFault } from '../vendor-error.ts'
import { recordOf, textOf } from '../wire/read.ts'

/**
 * Messages that prove that nothing was done. From the vendor's error list, its support answers (2016–2020) and its
 * current document; after any other message the outcome is unknown.
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

/** Said when the confirmation broke half-way, which is no refusal. */
const BROKEN_CONFIRMATION = /booking confirmation error/i
const OLD_KEY = /rate ?key[^:]{0,40}:?.{0,80}(?:does not exist|expired|only last)|invalid rate ?key/i
const OVER_QUOTA = /quota|over (?:qps|rate)|rate limit/i
/** Those limits that reset within a second. */
const TOO_FAST = /over qps|rate limit/i

type Failure = { readonly fault: VendorFault; readonly effect: Effect }

/** Why an answer is no success; undefined when it is one. `secrets` are removed from the text. */
export function failureOf(call: Call, reply: Reply, secrets: readonly string[]): VendorError | undefined {
  const error = recordOf(reply.body)?.error
  if (reply.status < 400 && error === undefined) return undefined
  const said = wordsOf(error, reply)
  const { fault, effect } =
    said.category === '' ? gatewayFailure(call, reply, said.message) : applicationFailure(call, reply, said)
  const detail = [reply.status, said.category, redact(said.message, secrets)].filter((part) => part !== '').join(' ')
  const retryAfterMs = fault === 'throttled' ? retryAfterOf(reply) : undefined
  return new VendorError('hotelbeds', fault, effect, { detail, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

/** Two bodies: the gateway's `{"error": "text"}` and the application's `{"error": {"code": "CATEGORY-token", …}}`. */
function wordsOf(error: unknown, reply: Reply): { category: string; message: string } {
  const inner = recordOf(error)
  if (inner === undefined) return { category: '', message: textOf(error) || (reply.text ?? '') }
  return { category: textOf(inner.code).split('-', 1)[0] ?? '', message: textOf(inner.message) }
}

/** An older gateway names the reason in a header as well. */
const gatewayWords = (reply: Reply, message: string): string =>
  `${message} ${reply.headers['x-mashery-error-code']?.replaceAll('_', ' ') ?? ''}`

/** Answers of the gateway and of proxies: no category, often no JSON. */
function gatewayFailure(call: Call, reply: Reply, message: string): Failure {
  const { status } = reply
  if (status === 429 || (status === 403 && OVER_QUOTA.test(gatewayWords(reply, message))))
    return { fault: 'throttled', effect: 'none' }
  if (status === 401 || status === 403) return { fault: 'credentials', effect: 'none' }
  if (status === 402 || status === 406 || status === 415) return { fault: 'refused', effect: 'none' }
  return { fault: status < 400 ? 'malformed' : 'unavailable', effect: call.ifLost }
}

/** Answers of the application itself, which names the category of what went wrong. */
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

/** 410 repeats the words of the request's first failure. */
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
  // The vendor's document: whatever product error a booking ends with, it was not made.
  return call.class === 'book' ? { fault: 'refused', effect: 'none' } : { fault: 'unavailable', effect: call.ifLost }
}

const finalFault = (message: string) => FINAL.find(([sign]) => sign.test(message))?.[1]

function redact(message: string, secrets: readonly string[]): string {
  let clean = message.replace(/\s+/g, ' ').slice(0, 300)
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, '***')
  return clean.slice(0, 200)
}

function retryAfterOf(reply: Reply): number | undefined {
  const seconds = Number(reply.headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** Hotelbeds answers "sold out" and the like with 500; only its own category tells them from real trouble. */
export function isRefusal(reply: Reply): boolean {
  const error = recordOf(reply.body)?.error
  return error !== undefined && wordsOf(error, reply).category === 'PRODUCT_ERROR'
}

/** Until when (epoch ms) to make no calls after this answer; 0 for "go on". */
export function holdOffAfter(reply: Reply, now: number): number {
  const words = gatewayWords(reply, wordsOf(recordOf(reply.body)?.error, reply).message)
  if (reply.status === 429 || (reply.status === 403 && TOO_FAST.test(words)))
    return now + Math.min(retryAfterOf(reply) ?? 2 * SECOND_MS, 120 * SECOND_MS)
  // A daily quota is not renewed within seconds: try again after a quarter of an hour.
  return reply.status === 403 && OVER_QUOTA.test(words) ? now + 900 * SECOND_MS : 0
}

/** For an answer, or a request of ours, that cannot be used. */
export function fail(fault: VendorFault, effect: Effect, detail: string): never {
  throw new VendorError('hotelbeds', fault, effect, { detail })
}
