import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallContext } from '../../../../src/lib/call-context.ts'
import type { Clock } from '../../../../src/lib/clock.ts'
import type { Call, Reply, Send } from '../../../../src/vendors/call.ts'
import type { ExpediaRapidConfig } from '../../../../src/vendors/expedia_rapid/config.ts'

const folder = join(import.meta.dirname, '../../../fixtures/vendors/expedia_rapid')

/** A body out of Rapid's own document (or, with `x.`, from its integrators). */
export const sample = (name: string): unknown => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

export const sampleNames = (like: RegExp): string[] =>
  readdirSync(folder)
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => like.test(name))
    .sort()

export const ORIGIN = 'https://test.ean.com'
/** Before anything in the samples happens. */
export const NOW = Date.parse('2018-02-01T00:00:00Z')
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
  defaultCustomerIp: '127.0.0.1',
  defaultUserAgent: 'Serai/1.0',
}

export type Script = (call: Call) => Partial<Reply> | Error

/** A `Send` that answers by a script and remembers what was sent. */
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
