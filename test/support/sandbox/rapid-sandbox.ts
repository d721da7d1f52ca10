import { request } from 'node:http'
import { createAllotment } from '../../../sandbox/server/allotment.ts'
import { createFaultPlan } from '../../../sandbox/server/fault-plan.ts'
import { createLedger } from '../../../sandbox/server/ledger.ts'
import { serveStandIn } from '../../../sandbox/server/serve-stand-in.ts'
import { expediaRapid } from '../../../sandbox/vendors/expedia_rapid/stand-in.ts'
import type { Place } from '../../../sandbox/world/contract.ts'
import { createVendorWorld } from '../../../sandbox/world/vendor-view/vendor-view.ts'
import { createWorld } from '../../../sandbox/world/world.ts'
import type { CallContext } from '../../../src/lib/async/call-context.ts'
import { buildHeaders } from '../../../src/vendors/expedia_rapid/authorize.ts'
import { ExpediaRapidConfig } from '../../../src/vendors/expedia_rapid/config.ts'
import { createExpediaRapid, holdOff } from '../../../src/vendors/expedia_rapid/index.ts'
import { readVendorSettings } from '../../../src/vendors/settings.ts'
import type { Call, Reply } from '../../../src/vendors/transport/call.ts'
import { createHttpClient } from '../../../src/vendors/transport/http-client.ts'
import { manualClock } from '../time/clock.ts'

const place = (sourceId: number, name: string, lat: number, lon: number, population: number): Place => ({
  sourceId,
  name,
  region: 'Region',
  countryCode: 'FR',
  countryName: 'France',
  point: { lat, lon },
  population,
  timezone: 'Europe/Paris',
})
export const PARIS_PLACE = place(2988507, 'Paris', 48.8566, 2.3522, 2_138_551)
const PLACES = [
  PARIS_PLACE,
  place(2990440, 'Nice', 43.7034, 7.2663, 338_620),
  place(2996944, 'Lyon', 45.7485, 4.8467, 522_250),
  place(2995469, 'Marseille', 43.297, 5.3811, 870_731),
]

type Exchanged = { readonly call: Call; readonly reply: Reply }

/** The real adapter and HTTP client against the stand-in. Keeps every call and its reply. */
export async function rapidSandbox(overrides: Partial<ExpediaRapidConfig> = {}) {
  const clock = manualClock()
  const whole = createWorld({ places: PLACES })
  const world = createVendorWorld(expediaRapid, whole)
  const allotment = createAllotment()
  const ledger = createLedger()
  const faults = createFaultPlan(1)
  const standIn = serveStandIn(expediaRapid, {
    world: whole,
    allotment,
    ledger,
    clock,
    faults,
    pictureBase: 'http://127.0.0.1/pictures',
  })
  const { origin } = await standIn.listen()
  const config: ExpediaRapidConfig = {
    ...readVendorSettings('expedia_rapid', ExpediaRapidConfig, expediaRapid.environment(origin)),
    ...overrides,
  }
  const client = createHttpClient({ vendor: 'expedia_rapid', origins: { main: origin }, clock, holdOff })
  const exchanged: Exchanged[] = []
  const vendor = createExpediaRapid(config, {
    clock,
    send: async (call, context) => {
      const reply = await client.send(call, context)
      exchanged.push({ call, reply })
      return reply
    },
  })
  return {
    vendor,
    world,
    allotment,
    ledger,
    faults,
    clock,
    standIn,
    origin,
    config,
    exchanged,
    /** Sends a raw request, signed as by the adapter; `headers` replace the signed ones. */
    raw: (method: string, path: string, headers: Record<string, string | undefined> = {}, body?: unknown) =>
      rawRequest(
        origin,
        method,
        path,
        { ...buildHeaders(config, clock, createCallContext(5_000), ''), ...headers },
        body,
      ),
    async close() {
      await client.close()
      await standIn.close()
    },
  }
}

export const createCallContext = (ms: number): CallContext => ({
  signal: AbortSignal.timeout(ms),
  requestId: 'req-1',
  customerIp: '198.51.100.7',
  userAgent: 'Mozilla/5.0',
})

type RawAnswer = { status: number; headers: Record<string, unknown>; body: Buffer }

function rawRequest(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string | undefined>,
  body: unknown,
): Promise<RawAnswer> {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, headers: Object.fromEntries(given) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
