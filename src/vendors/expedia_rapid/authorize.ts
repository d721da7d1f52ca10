import { createHash } from 'node:crypto'
import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ExpediaRapidConfig } from './config.ts'

type Credentials = Pick<ExpediaRapidConfig, 'apiKey' | 'sharedSecret'>

/**
 * Rapid's signature: a plain SHA-512 over key, secret and the second it is made in. It lives for five minutes, so it
 * is made for every request.
 */
export function authorize(config: Credentials, clock: Clock): { readonly authorization: string } {
  const timestamp = Math.floor(clock.now() / 1000)
  const signature = createHash('sha512').update(`${config.apiKey}${config.sharedSecret}${timestamp}`).digest('hex')
  return { authorization: `EAN apikey=${config.apiKey},signature=${signature},timestamp=${timestamp}` }
}

/** Every request carries these. The agent and the address are the traveller's, for fraud checks and point of sale. */
export function headersOf(config: ExpediaRapidConfig, clock: Clock, context: CallContext): Record<string, string> {
  return {
    ...authorize(config, clock),
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': headerText(context.userAgent) || config.defaultUserAgent,
    'customer-ip': headerText(context.customerIp) || config.defaultCustomerIp,
    'customer-session-id': headerText(context.sessionId ?? context.requestId),
    ...(config.testHeader !== undefined && { test: config.testHeader }),
  }
}

/** Text from a client's request goes into a header only as printable ASCII. */
const headerText = (text: string | undefined): string =>
  (text ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 512)
    .trim()
