import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { byStandIn } from '../../../sandbox/stand-ins.ts'
import type { Sandbox } from '../../../sandbox/start-sandbox.ts'
import { startSandbox } from '../../../sandbox/start-sandbox.ts'
import type { Place } from '../../../sandbox/world/contract.ts'
import type { Overrides } from '../../../src/compose/core.ts'
import type { Config } from '../../../src/config.ts'
import { addDays, dateIn } from '../../../src/lib/time/plain-date.ts'
import { TEST_PLACES } from '../sandbox/places.ts'
import { manualClock } from '../time/clock.ts'
import { OTHER_ACCOUNT, type TestApp, testApp, testLocations } from './app.ts'

/** The fields that tests read. The whole answer is validated against its schema. */
export type Summary = {
  property_id: string
  name: string
  vendor_id: string
  vendors_property_id: string
  total_price: number
  public_price: number
  star_rating: number
  guest_ratings: { overall: number }
  distance_km: number
  location: { lat: number; lon: number }
  currency: string
  converted: boolean
  board: string
  free_cancellation?: { total_price: number; until: string | null }
  free_cancellation_until: string | null
  amenities: string[]
  score: number
  offers: { vendor_id: string; vendors_property_id: string; total_price: number }[]
}
export type SearchAnswer = {
  availability: Summary[]
  search_id: string
  expires_at: string
  currency: string
  rates_date: string | null
  partial: boolean
  simulated: boolean
  warnings: string[]
  location: { id: string; name: string; radius_km: number }
  conditions: { free_cancellation?: true; boards?: string[] }
  area: { south: number; west: number; north: number; east: number } | null
  vendors: { vendor_id: string; status: string; properties: number; took_ms: number; reason?: string }[]
}

export type SearchApp = TestApp & {
  readonly sandbox: Sandbox
  readonly traffic: Traffic
  readonly token: string
  readonly otherToken: string
  /** Date in `ahead` days by the app's clock. */
  day(ahead: number): string
  /** A valid search body with `fields` replaced. */
  body(fields?: Record<string, unknown>): Record<string, unknown>
  post(fields?: Record<string, unknown>, options?: InjectOptions): Promise<LightMyRequestResponse>
  get(url: string, options?: InjectOptions): Promise<LightMyRequestResponse>
  /** Expects success and returns `data`. */
  search(fields?: Record<string, unknown>, options?: InjectOptions): Promise<SearchAnswer>
  detail(searchId: string, propertyId: string, options?: InjectOptions): Promise<LightMyRequestResponse>
  clearFaults(): Promise<void>
}

const PLENTY = { quota: 1e9, windowMs: 60_000 }

/** The whole app and its stand-in vendors in one process, with one manual clock. */
export async function searchApp(
  settings: Partial<Config> = {},
  overrides: Overrides & { town?: string; places?: readonly Place[] } = {},
): Promise<SearchApp> {
  const clock = manualClock()
  const sandbox = await startSandbox({
    places: overrides.places ?? TEST_PLACES,
    pictureBase: 'http://127.0.0.1:9/pictures',
    clock,
  })
  const allowances = { account: PLENTY, address: PLENTY, signInsPerAddress: PLENTY, signInsPerPair: PLENTY }
  const app = await testApp(
    { allowances, ...settings },
    {
      clock,
      locations: testLocations(),
      vendorEnvironment: Promise.resolve(sandbox.environment),
      ...overrides,
    },
  )
  const traffic = watchTraffic(sandbox)
  const token = await app.signIn()
  const otherToken = await app.signIn(OTHER_ACCOUNT)
  const day = (ahead: number) => addDays(dateIn('UTC', clock.now()), ahead)
  const destination = findLocationId(overrides.town ?? 'Zermatt')
  const body = (fields: Record<string, unknown> = {}) => ({
    destination_id: destination,
    check_in: day(40),
    check_out: day(43),
    occupancies: [{ adults: 2 }],
    currency: 'EUR',
    timeout_ms: 15_000,
    ...fields,
  })
  const url = '/api/accommodation_searches/search'
  const post = (fields?: Record<string, unknown>, options: InjectOptions = {}) =>
    app.as(token, { method: 'POST', url, payload: body(fields), ...options })
  const get = (path: string, options: InjectOptions = {}) => app.as(token, { url: path, ...options })
  return {
    ...app,
    clock,
    sandbox,
    traffic,
    token,
    otherToken,
    day,
    body,
    post,
    get,
    async search(fields, options) {
      const answer = await post(fields, options)
      expect(answer.statusCode, answer.body.slice(0, 2000)).toBe(200)
      return answer.json<{ data: SearchAnswer }>().data
    },
    detail: (searchId, propertyId, options) =>
      get(`/api/accommodation_searches/accommodation?search_id=${searchId}&property_id=${propertyId}`, options),
    async clearFaults() {
      await Promise.all(Object.values(sandbox.control).map((control) => control.clearFaults()))
    },
    async close() {
      traffic.stop()
      await app.close()
      await sandbox.close()
    },
  }
}

/** Id of the best match for a text. */
export function findLocationId(text: string): string {
  const [first] = testLocations().search(text, 1)
  if (first === undefined) throw new Error(`no location begins with ${text}`)
  return first.id
}

/** Searches an area until all vendors have sent its content, so that tests also pass on a busy machine. */
export async function searchUntilComplete(app: SearchApp, fields: Record<string, unknown> = {}): Promise<SearchAnswer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await app.post(fields)
    const isLast = tries > 20
    if (answer.statusCode !== 504 || isLast) {
      expect(answer.statusCode, answer.body.slice(0, 2000)).toBe(200)
      const { data } = answer.json<{ data: SearchAnswer }>()
      if (!data.partial || isLast) return data
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

type Traffic = {
  /** Requests to a stand-in since the last `reset`, as `METHOD path`. */
  calls(vendorId: string): string[]
  headers(vendorId: string): IncomingMessage['headers'][]
  /** Number of bytes that the stand-ins have sent. */
  bytes(): number
  /** Connections to a stand-in with a request in flight. */
  busySockets(vendorId: string): number
  reset(): void
  stop(): void
}

/** Observes every request that a stand-in receives. */
function watchTraffic(sandbox: Sandbox): Traffic {
  const vendorByPort = new Map(
    Object.entries(sandbox.origins).map(([id, origin]) => [Number(new URL(origin).port), id]),
  )
  let seen: { vendorId: string; request: IncomingMessage }[] = []
  const busy = new Map<Socket, string>()
  const known = new WeakSet<Socket>()
  const onStart = (message: unknown) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket }
    const vendorId = vendorByPort.get(socket.localPort ?? 0)
    if (vendorId === undefined || request.url?.startsWith('/_sandbox/')) return
    seen.push({ vendorId, request })
    busy.set(socket, vendorId)
    writtenBefore.set(socket, socket.bytesWritten)
    if (!known.has(socket)) socket.once('close', () => busy.delete(socket))
    known.add(socket)
  }
  const writtenBefore = new WeakMap<Socket, number>()
  let answered = 0
  const onFinish = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    answered += socket.bytesWritten - (writtenBefore.get(socket) ?? socket.bytesWritten)
    busy.delete(socket)
  }
  diagnostics.subscribe('http.server.request.start', onStart)
  diagnostics.subscribe('http.server.response.finish', onFinish)
  const requestsTo = (vendorId: string) =>
    seen.filter((entry) => entry.vendorId === vendorId).map(({ request }) => request)
  return {
    calls: (vendorId) => requestsTo(vendorId).map((request) => `${request.method} ${request.url?.split('?', 1)[0]}`),
    headers: (vendorId) => requestsTo(vendorId).map((request) => request.headers),
    bytes: () => answered,
    busySockets: (vendorId) => [...busy.values()].filter((id) => id === vendorId).length,
    reset() {
      seen = []
    },
    stop() {
      diagnostics.unsubscribe('http.server.request.start', onStart)
      diagnostics.unsubscribe('http.server.response.finish', onFinish)
    },
  }
}

/** Runs `act` and returns the number of connections that this process opened meanwhile. */
export async function countConnections(act: () => Promise<void>): Promise<number> {
  let count = 0
  const onSocket = () => {
    count += 1
  }
  diagnostics.subscribe('net.client.socket', onSocket)
  try {
    await act()
    return count
  } finally {
    diagnostics.unsubscribe('net.client.socket', onSocket)
  }
}

export const AVAILABILITY = byStandIn(({ searchAddress }) => searchAddress)
