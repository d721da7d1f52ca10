import type { Call, Reply } from '../transport/call.ts'
import { type Effect, VendorError, type VendorFault } from '../vendor-error.ts'
import { asInteger, asRecord, asText } from '../wire/read.ts'

export const VENDOR = 'liteapi'

/** The response violates the vendor's documentation. */
export const malformed = (detail: string, effect: Effect = 'none'): VendorError =>
  new VendorError(VENDOR, 'malformed', effect, { detail })

export const refusedByVendor = (detail: string): VendorError => new VendorError(VENDOR, 'refused', 'none', { detail })

/** In a search: nothing for sale. In a prebook: gone, or more expensive than the locked price. */
const NO_AVAILABILITY = 2001
const NOT_CONFIRMED = 4012
const REFERENCE_USED = 4005
const MISSING_OR_WRONG = 4002
const LIMITS = new Set([429, 4290])

/** Vendor's own error code, which may come with any HTTP status, including 200. */
function readErrorCode(body: unknown): number | undefined {
  const envelope = asRecord(body)
  const error = asRecord(envelope?.error)
  return error === undefined ? undefined : (asInteger(error.code) ?? 0)
}

const readErrorText = (body: unknown): string => {
  const error = asRecord(asRecord(body)?.error)
  return [asText(error?.message), asText(error?.description)].filter((text) => text !== '').join(': ')
}

/** Error responses that mean an empty result: nothing for sale, or unknown properties. */
export function isEmpty(body: unknown): boolean {
  const code = readErrorCode(body)
  return code === NO_AVAILABILITY || (code === 4000 && /hotel ids not found/i.test(readErrorText(body)))
}

type Failure = { readonly fault: VendorFault; readonly effect: Effect }

/** Returns undefined for success, including "nothing for sale". */
export function readFailure(call: Call, reply: Reply, apiKey: string): VendorError | undefined {
  const { status, body } = reply
  const code = readErrorCode(body)
  if (status < 300 && code === undefined) return undefined
  if (call.class === 'search' && status < 500 && isEmpty(body)) return undefined
  const message = readErrorText(body) || (reply.text ?? '').replace(/\s+/g, ' ')
  const { fault, effect } = classify(call, status, code, message)
  const shown = apiKey === '' ? message : message.replaceAll(apiKey, '***')
  const detail = [status, code, shown.slice(0, 200)].filter((part) => part !== undefined && part !== '').join(' ')
  return new VendorError(VENDOR, fault, effect, { detail })
}

function classify(call: Call, status: number, code: number | undefined, message: string): Failure {
  const none = (fault: VendorFault): Failure => ({ fault, effect: 'none' })
  if (status === 429 || (code !== undefined && LIMITS.has(code))) return none('throttled')
  if (status === 401 || status === 403 || code === 401 || code === 40302) return none('credentials')
  // After a 5xx, or a response that is not the vendor's own, the effect is unknown.
  if (code === undefined || status >= 500) return { fault: 'unavailable', effect: call.ifLost }
  if (call.class === 'book') return bookFailure(code, message)
  return call.class === 'price_check' ? prebookFailure(code, message) : otherFailure(call, code)
}

/** Codes after which nothing was booked, according to documentation and measurements. All others are unknown. */
function bookFailure(code: number, message: string): Failure {
  switch (code) {
    case REFERENCE_USED:
      // An earlier attempt of ours has used the reference; a look-up finds the booking.
      return { fault: 'duplicate', effect: 'unknown' }
    case NOT_CONFIRMED:
      return { fault: 'sold_out', effect: 'none' }
    case MISSING_OR_WRONG:
      return { fault: /prebook|rate not found/i.test(message) ? 'expired' : 'refused', effect: 'none' }
    case 4000:
    case 4003:
    case 4010:
      return { fault: 'refused', effect: 'none' }
    case 5000:
      // "Payment failed": measured to book nothing, which `book` verifies. Other texts with this code are doubt.
      return { fault: /payment failed/i.test(message) ? 'misconfigured' : 'unavailable', effect: 'unknown' }
    default:
      return { fault: 'unavailable', effect: 'unknown' }
  }
}

/** A prebook has no effect, so after any failure the caller searches again. */
function prebookFailure(code: number, message: string): Failure {
  const none = (fault: VendorFault): Failure => ({ fault, effect: 'none' })
  if (code === 4016) return none('timeout')
  if (code === 4040 || code === MISSING_OR_WRONG || code === 4010) return none('expired')
  if (code === NO_AVAILABILITY) return none(/price/i.test(message) ? 'expired' : 'sold_out')
  return none('unavailable')
}

function otherFailure(call: Call, code: number): Failure {
  if (call.operation === 'content' && (code === MISSING_OR_WRONG || code === 4000))
    return { fault: 'not_found', effect: 'none' }
  if (code === MISSING_OR_WRONG || code === 4000 || code === 4003) return { fault: 'refused', effect: 'none' }
  return { fault: 'unavailable', effect: call.ifLost }
}

/** The vendor sends no waiting time; its limits are per second. */
export const holdOff = ({ status }: Reply, now: number): number => (status === 429 ? now + 1_000 : 0)
