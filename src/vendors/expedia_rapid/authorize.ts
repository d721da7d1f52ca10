import { createHash } from 'node:crypto'
import type { CallContext } from '../../lib/async/call-context.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { ExpediaRapidConfig } from './config.ts'

type Credentials = Pick<ExpediaRapidConfig, 'apiKey' | 'sharedSecret'>

/** SHA-512 over key, secret and the current second. Valid for five minutes, so each request gets a new one. */
export function authorize(config: Credentials, clock: Clock): { readonly authorization: string } {
  const timestamp = Math.floor(clock.now() / 1000)
  const signature = createHash('sha512').update(`${config.apiKey}${config.sharedSecret}${timestamp}`).digest('hex')
  return { authorization: `EAN apikey=${config.apiKey},signature=${signature},timestamp=${timestamp}` }
}

/** The user agent and IP address are the traveller's, for fraud checks and point of sale. */
export function buildHeaders(
  config: ExpediaRapidConfig,
  clock: Clock,
  context: CallContext,
  operation: string,
): Record<string, string> {
  const test = chooseTestValue(config.testHeader, operation)
  return {
    ...authorize(config, clock),
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': headerText(context.userAgent) || config.defaultUserAgent,
    'customer-ip': headerText(context.customerIp) || config.defaultCustomerIp,
    'customer-session-id': headerText(context.sessionId ?? context.requestId),
    ...(test !== undefined && { test }),
  }
}

const RETRIEVE = ['standard', 'degraded_response', 'service_unavailable', 'internal_server_error']
const CHANGE = ['standard', 'service_unavailable', 'unknown_internal_error']

/**
 * Values of the `Test` header by operation, the default first. Shopping and price checks never have it: they would
 * return samples of other properties, whose links fail.
 */
const TEST_VALUES: Readonly<Record<string, readonly string[]>> = {
  book: [
    'standard',
    'complete_payment_session',
    'service_unavailable',
    'internal_server_error',
    'price_mismatch',
    'cc_declined',
    'rooms_unavailable',
  ],
  find: RETRIEVE,
  retrieve: RETRIEVE,
  change: CHANGE,
  cancel: [...CHANGE, 'post_stay_cancel'],
}

/** Operations support different values; the default is used if the wanted one is not supported. */
function chooseTestValue(wanted: string | undefined, operation: string): string | undefined {
  const values = wanted === undefined ? [] : (TEST_VALUES[operation] ?? [])
  return values.find((value) => value === wanted) ?? values[0]
}

/** Keeps printable ASCII only, because the text comes from a client's request. */
const headerText = (text: string | undefined): string =>
  (text ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 512)
    .trim()
