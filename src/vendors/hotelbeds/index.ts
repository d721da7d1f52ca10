import { readFile } from 'node:fs/promises'
import type { CallContext } from '../../lib/call-context.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Call, Reply, Send } from '../call.ts'
import type { Capabilities, Vendor } from '../contract.ts'
import { createBookings } from './bookings.ts'
import { createCodeLists } from './code-lists.ts'
import type { HotelbedsConfig } from './config.ts'
import { createReadContent } from './content.ts'
import { RATE_KEY_TTL_MS } from './decode.ts'
import { failureOf } from './failure.ts'
import { createOffers } from './offers.ts'
import { probeAccount } from './probe.ts'
import { signatureOf } from './sign.ts'

export { HotelbedsConfig } from './config.ts'
export { holdOffAfter, isRefusal } from './failure.ts'

/** Figures of the vendor's documents, and where they are silent the careful guess that README.md names. */
const CAPABILITIES: Capabilities = {
  roomsMax: 9,
  nightsMax: 30,
  leadDaysMax: 500,
  propertiesPerCallMax: 2000,
  currencies: 'account',
  bookIsIdempotent: false,
  absenceIsFinal: false,
  bookTimeoutMs: 65_000,
  visibilityLagMs: 15 * 60_000,
  offerTtlMs: RATE_KEY_TTL_MS,
}

export function createHotelbeds(config: HotelbedsConfig, { send, clock }: { send: Send; clock: Clock }): Vendor {
  const secrets = [config.secret, config.apiKey]
  const exchange = (call: Call, context: CallContext): Promise<Reply> =>
    send({ ...call, headers: headersOf(config, clock.now()) }, context)
  const failed = (call: Call, reply: Reply) => failureOf(call, reply, secrets)

  async function answered(call: Call, context: CallContext): Promise<Reply> {
    const reply = await exchange(call, context)
    const failure = failed(call, reply)
    if (failure !== undefined) throw failure
    return reply
  }
  const ask = async (call: Call, context: CallContext): Promise<unknown> => (await answered(call, context)).body

  const photoBase = config.photoBase.endsWith('/') ? config.photoBase : `${config.photoBase}/`
  const codes = createCodeLists({ ask, clock })
  return {
    id: 'hotelbeds',
    capabilities: CAPABILITIES,
    content: createReadContent({ ask, codes, clock, photoBase, pageSize: config.contentPageSize }),
    ...createOffers({ config, answered, clock }),
    ...createBookings({ config, ask, exchange, failureOf: failed }),
    probe: (context) => probeAccount({ answered, clock, certificatePath: config.certificatePath }, context),
  }
}

function headersOf(config: HotelbedsConfig, now: number): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'api-key': config.apiKey,
    'x-signature': signatureOf(config.apiKey, config.secret, now),
    // The document wants it on the list of bookings too, which has no body.
    'content-type': 'application/json',
  }
}

/** Names of the origins that calls go to, for the http client; the first is the default. */
export const originsOf = (config: HotelbedsConfig): Readonly<Record<string, string>> => ({
  booking: config.bookingOrigin,
  content: config.contentOrigin,
})

/** The client certificate as the http client wants it; undefined where the account needs none. */
export async function tlsOf(config: HotelbedsConfig) {
  if (config.certificatePath === undefined || config.certificateKeyPath === undefined) return undefined
  const [cert, key] = await Promise.all([
    readFile(config.certificatePath, 'utf8'),
    readFile(config.certificateKeyPath, 'utf8'),
  ])
  return { cert, key, ...(config.certificatePassphrase !== undefined && { passphrase: config.certificatePassphrase }) }
}
