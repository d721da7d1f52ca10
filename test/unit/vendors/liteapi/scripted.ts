import type { Stay } from '../../../../src/domain/stay.ts'
import type { CallContext } from '../../../../src/lib/async/call-context.ts'
import { createLiteapi, type LiteapiConfig } from '../../../../src/vendors/liteapi/index.ts'
import type { Call, Reply } from '../../../../src/vendors/transport/call.ts'

export const NOW = Date.parse('2027-05-01T12:00:00Z')
export const context: CallContext = { signal: new AbortController().signal, requestId: 'test' }
export const exchangeRates = { date: '2027-05-01', rates: { EUR: 1, USD: 1.25, JPY: 160 } }

export const config: LiteapiConfig = {
  apiKey: 'sand_key-of-the-test-account',
  searchOrigin: 'https://search.invalid',
  bookOrigin: 'https://book.invalid',
  payment: 'WALLET',
  processingFeePercent: 0,
  sendSessionId: false,
  marginPercent: 1,
  businessPhone: '+15550100',
  contentPageSize: 2,
  contentDetails: 'yes',
  contentRequestsPerDay: 10_000,
}

type Answer = Partial<Reply> | ((call: Call, context: CallContext) => Partial<Reply> | Promise<Partial<Reply>>)

/** Adapter with scripted responses, and the calls it made. */
export function scripted(answers: readonly Answer[], more: Partial<LiteapiConfig> = {}) {
  const calls: Call[] = []
  const left = [...answers]
  const vendor = createLiteapi(
    { ...config, ...more },
    {
      clock: { now: () => NOW },
      rates: () => exchangeRates,
      async send(call, context) {
        calls.push(call)
        const next = left.shift()
        if (next === undefined) throw new Error(`unexpected call: ${call.method} ${call.path}`)
        const reply = typeof next === 'function' ? await next(call, context) : next
        return { status: 200, headers: {}, body: undefined, ...reply }
      },
    },
  )
  return { vendor, calls }
}

export const stay: Stay = {
  checkIn: '2027-06-01',
  checkOut: '2027-06-03',
  occupancies: [{ adults: 2, childrenAges: [] }],
}
export const market = { currency: 'EUR', language: 'en-GB', countryCode: 'DE' }
export const timezone = 'Asia/Tokyo'
