import type { CallContext } from '../../../../src/lib/async/call-context.ts'
import { createHotelbeds, type HotelbedsConfig } from '../../../../src/vendors/hotelbeds/index.ts'
import type { Call, Reply } from '../../../../src/vendors/transport/call.ts'

export const KEY = 'key-of-the-test-account'
export const SECRET = 'its-secret'
export const context: CallContext = { signal: new AbortController().signal, requestId: 'test' }

export const config: HotelbedsConfig = {
  apiKey: KEY,
  secret: SECRET,
  bookingOrigin: 'https://booking.invalid',
  contentOrigin: 'https://content.invalid',
  photoBase: 'https://photos.invalid/giata',
  pricing: 'net',
  excludePackages: true,
  propertiesPerCall: 250,
  commentLookups: true,
  contentPageSize: 2,
}

type Answer = Partial<Reply> | ((call: Call, context: CallContext) => Partial<Reply> | Promise<Partial<Reply>>)

/** Adapter with scripted responses, and the calls it made. */
export function scripted(answers: readonly Answer[], now: string, more: Partial<HotelbedsConfig> = {}) {
  const calls: Call[] = []
  const left = [...answers]
  const vendor = createHotelbeds(
    { ...config, ...more },
    {
      clock: { now: () => Date.parse(now) },
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
