import type { CallContext } from '../../../../src/lib/async/call-context.ts'
import type { Clock } from '../../../../src/lib/time/clock.ts'
import type { ExpediaRapidConfig } from '../../../../src/vendors/expedia_rapid/config.ts'
import type { Call, Reply, Send } from '../../../../src/vendors/transport/call.ts'

export const ORIGIN = 'https://test.ean.com'
/** Before all dates in the bodies of these tests. */
export const NOW = Date.parse('2027-02-01T00:00:00Z')
export const clock: Clock = { now: () => NOW }
export const context: CallContext = {
  signal: new AbortController().signal,
  requestId: 'req-1',
  customerIp: '198.51.100.7',
  userAgent: 'Mozilla/5.0',
}

export const config: ExpediaRapidConfig = {
  apiKey: 'abcdefg',
  sharedSecret: '1a2bc3',
  baseUrl: ORIGIN,
  salesChannel: 'website',
  salesEnvironment: 'hotel_only',
  supplySource: 'expedia',
  language: 'en-US',
  billingContact: {
    given_name: 'Ada',
    family_name: 'Agent',
    line_1: '1 Main St',
    city: 'Seattle',
    state_province_code: 'WA',
    postal_code: '98121',
    country_code: 'US',
  },
  businessPhone: '+31201234567',
  termsUrl: 'https://vendor.example/terms',
  taxesText: 'The taxes are recovery charges.',
  defaultCustomerIp: '127.0.0.1',
  defaultUserAgent: 'Serai/1.0',
  lookAfterRefusalMs: 5,
  notifications: true,
}

export type Script = (call: Call) => Partial<Reply> | Error

/** Returns scripted responses and records the calls. */
export function scripted(script: Script): { send: Send; calls: Call[] } {
  const calls: Call[] = []
  return {
    calls,
    send: async (call) => {
      calls.push(call)
      const reply = script(call)
      if (reply instanceof Error) throw reply
      return { status: 200, headers: {}, body: undefined, ...reply }
    },
  }
}
