import type { Call, Reply } from '../transport/call.ts'
import { type Effect, VendorError, type VendorFault } from '../vendor-error.ts'
import { recordOf, textOf, wholeOf } from '../wire/read.ts'

export const VENDOR = 'liteapi'

/** An answer that is not what the vendor's documents promise. */
export const malformed = (detail: string, effect: Effect = 'none'): VendorError =>
  new VendorError(VENDOR, 'malformed', effect, { detail })

export const refused = (detail: string): VendorError => new VendorError(VENDOR, 'refused', 'none', { detail })

/** In a search: nothing for sale. In a prebook: gone, or more expensive than the price that was locked. */
const NO_AVAILABILITY = 2001
const NOT_CONFIRMED = 4012
const REFERENCE_USED = 4005
const MISSING_OR_WRONG = 4002
const LIMITS = new Set([429, 4290])

/** The vendor's own number in an answer, which may be an error under any HTTP status, also under 200. */
function codeIn(body: unknown): number | undefined {
  const envelope = recordOf(body)
  const error = recordOf(envelope?.error)
  return error === undefined ? undefined : (wholeOf(error.code) ?? 0)
}

const wordsIn = (body: unknown): string => {
  const error = recordOf(recordOf(body)?.error)
  return [textOf(error?.message), textOf(error?.description)].filter((text) => text !== '').join(': ')
}

/** Nothing is for sale, or nothing of what was named is known: told as an error, and none. */
export function isEmpty(body: unknown): boolean {
  const code = codeIn(body)
  return code === NO_AVAILABILITY || (code === 4000 && /hotel ids not found/i.test(wordsIn(body)))
}

type Failure = { readonly fault: VendorFault; readonly effect: Effect }

/** Why a reply is no success; undefined when it is one, "nothing for sale" included. */
export function failureOf(call: Call, reply: Reply, apiKey: string): VendorError | undefined {
  const { status, body } = reply
  const code = codeIn(body)
  if (status < 300 && code === undefined) return undefined
  if (call.class === 'search' && status < 500 && isEmpty(body)) return undefined
  const said = wordsIn(body) || (reply.text ?? '').replace(/\s+/g, ' ')
  const { fault, effect } = judge(call, status, code, said)
  const shown = apiKey === '' ? said : said.replaceAll(apiKey, '***')
  const detail = [status, code, shown.slice(0, 200)].filter((part) => part !== undefined && part !== '').join(' ')
  return new VendorError(VENDOR, fault, effect, { detail })
}

function judge(call: Call, status: number, code: number | undefined, said: string): Failure {
  const none = (fault: VendorFault): Failure => ({ fault, effect: 'none' })
  if (status === 429 || (code !== undefined && LIMITS.has(code))) return none('throttled')
  if (status === 401 || status === 403 || code === 401 || code === 40302) return none('credentials')
  // Behind a 5xx, and behind an answer that is not the vendor's own, anything may have happened.
  if (code === undefined || status >= 500) return { fault: 'unavailable', effect: call.ifLost }
  if (call.class === 'book') return bookFailure(code, said)
  return call.class === 'price_check' ? prebookFailure(code, said) : otherFailure(call, code)
}

/** Codes after which nothing was booked, as far as the documents and those who measured them say. All others are doubt. */
function bookFailure(code: number, said: string): Failure {
  switch (code) {
    case REFERENCE_USED:
      // Somebody has booked under our reference: an earlier attempt of ours, which a look-up finds.
      return { fault: 'duplicate', effect: 'unknown' }
    case NOT_CONFIRMED:
      return { fault: 'sold_out', effect: 'none' }
    case MISSING_OR_WRONG:
      return { fault: /prebook|rate not found/i.test(said) ? 'expired' : 'refused', effect: 'none' }
    case 4000:
    case 4003:
    case 4010:
      return { fault: 'refused', effect: 'none' }
    default:
      return { fault: 'unavailable', effect: 'unknown' }
  }
}

/** A prebook changes nothing that counts; whatever it ends with, the offer has to be looked for again. */
function prebookFailure(code: number, said: string): Failure {
  const none = (fault: VendorFault): Failure => ({ fault, effect: 'none' })
  if (code === 4016) return none('timeout')
  if (code === 4040 || code === MISSING_OR_WRONG || code === 4010) return none('expired')
  if (code === NO_AVAILABILITY) return none(/price/i.test(said) ? 'expired' : 'sold_out')
  return none('unavailable')
}

function otherFailure(call: Call, code: number): Failure {
  if (call.operation === 'content' && (code === MISSING_OR_WRONG || code === 4000))
    return { fault: 'not_found', effect: 'none' }
  if (code === MISSING_OR_WRONG || code === 4000 || code === 4003) return { fault: 'refused', effect: 'none' }
  return { fault: 'unavailable', effect: call.ifLost }
}

/** The vendor names no time to wait; its limits are per second. */
export const holdOff = ({ status }: Reply, now: number): number => (status === 429 ? now + 1_000 : 0)
