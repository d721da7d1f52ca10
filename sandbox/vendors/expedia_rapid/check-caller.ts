import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { invalidInput, json, type NestedError, nested } from './vendor-words.ts'

export type Caller = { readonly apiKey: string; readonly sharedSecret: string }

const SKEW_MAX_S = 300
const SHAPE = /^EAN\s+apikey=([^,]*),\s*signature=([0-9a-f]*),\s*timestamp=(\d{1,12})$/i

/** Rejects a call with a wrong signature or without required headers; undefined if it is valid. */
export function refuseCaller(
  headers: IncomingHttpHeaders,
  caller: Caller,
  now: number,
  needsCustomerIp: boolean,
): StandInAnswer | undefined {
  return refuseSignature(headers.authorization ?? '', caller, now) ?? refuseHeaders(headers, needsCustomerIp)
}

const SHOP = ['standard', 'service_unavailable', 'unknown_internal_error', 'no_availability']
const RETRIEVE = ['standard', 'degraded_response', 'service_unavailable', 'internal_server_error']
const CHANGE = ['standard', 'service_unavailable', 'unknown_internal_error']

/**
 * Values of the `Test` header per call, as documented. Not shared with the adapter, because the stand-in must detect
 * its mistakes.
 */
const TEST_VALUES: Readonly<Record<string, readonly string[]>> = {
  availability: SHOP,
  rooms: SHOP,
  price_check: ['available', 'price_changed', 'sold_out', 'service_unavailable', 'unknown_internal_error'],
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

/** Rejects a call with an unknown `Test` value. */
export function refuseTest({ test }: IncomingHttpHeaders, operation: string): StandInAnswer | undefined {
  const values = TEST_VALUES[operation]
  if (test === undefined || values === undefined || values.includes(String(test))) return undefined
  const message = `Content of the test header is invalid. Accepted values are: [${values.join(', ')}]`
  return invalidInput([nested('test.content_invalid', message, 'Test', 'header', String(test))])
}

function refuseSignature(header: string, caller: Caller, now: number): StandInAnswer | undefined {
  const [, key = '', signature = '', timestamp = ''] = SHAPE.exec(header) ?? []
  const expected = createHash('sha512').update(`${caller.apiKey}${caller.sharedSecret}${timestamp}`).digest('hex')
  const serverTime = Math.floor(now / 1000)
  const isFresh = Math.abs(serverTime - Number(timestamp)) <= SKEW_MAX_S
  if (timestamp !== '' && isFresh && key === caller.apiKey && signature.toLowerCase() === expected) return undefined
  const body = {
    fields: [
      { name: 'apikey', type: 'header', value: key },
      { name: 'signature', type: 'header', value: signature },
      { name: 'timestamp', type: 'header', value: Number(timestamp) },
      { name: 'servertimestamp', type: 'server', value: serverTime },
    ],
    message:
      'Data required to authenticate your request is missing or inaccurate. Ensure that your request follows the guidelines in our documentation.',
    type: 'request_unauthenticated',
  }
  return json(401, body, { 'www-authenticate': 'EAN' })
}

function refuseHeaders(headers: IncomingHttpHeaders, needsCustomerIp: boolean): StandInAnswer | undefined {
  const errors: NestedError[] = []
  const addMissing = (name: string, type: string) => {
    errors.push(nested(`${type}.required`, `${name} header is required.`, name, 'header'))
  }
  if (!/application\/json|\*\/\*/.test(headers.accept ?? '')) addMissing('Accept', 'accept')
  if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) addMissing('Accept-Encoding', 'accept_encoding')
  if ((headers['user-agent'] ?? '') === '') addMissing('User-Agent', 'user_agent')
  if (needsCustomerIp && String(headers['customer-ip'] ?? '') === '') addMissing('Customer-Ip', 'customer_ip')
  return errors.length === 0 ? undefined : invalidInput(errors)
}
