import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import type { Overrides } from '../../src/compose/core.ts'
import { ACCOUNT, OTHER_ACCOUNT, type TestApp, testApp, testLocations } from '../../test/support/app/app.ts'
import { createJudge, type JudgedAnswer } from './judge.ts'
import { createMcpJudge } from './judge-mcp.ts'
import { anyMcpRequest, MCP_PATH } from './mcp-request.ts'
import { anyRequest, type FuzzedRequest, type KnownValues } from './request.ts'
import type { Document } from './schema.ts'

const UNLIMITED = { quota: 1e9, windowMs: 60_000 }
// Sign-ins stay limited, because each one is slow on purpose.
const SIGN_INS = { quota: 30, windowMs: 60_000 }
const ALLOWANCES = { account: UNLIMITED, address: UNLIMITED, signInsPerAddress: SIGN_INS, signInsPerPair: SIGN_INS }
const SIMULATED = { 'x-simulate-return': 'success' }

export const startFuzzedApp = (overrides: Overrides = {}): Promise<TestApp> =>
  testApp({ allowances: ALLOWANCES, logLevel: 'error' }, { locations: testLocations(), ...overrides })

export type FuzzOptions = { readonly seed: number; readonly runs: number; readonly millis: number }

/**
 * Sends generated requests, half of them as a client and half as an operator; throws with the smallest one that gets a wrong
 * answer. Returns the number of answers by status.
 */
export async function fuzz(app: TestApp, { seed, runs, millis }: FuzzOptions): Promise<Record<string, number>> {
  // An operator may call every operation.
  await app.manageAccounts.setRole(ACCOUNT.email, 'operator')
  const document = (await app.call({ url: '/openapi.json' })).json<Document>()
  // Revoking would invalidate the token that all other requests need.
  const { '/api/accounts/revoke_token': _once, ...paths } = document.paths
  const judges = { api: createJudge(document), mcp: createMcpJudge(document) }
  const seen: Record<string, number> = {}
  // Before the fuzz uses up the sign-ins.
  const callers = [await knownValues(app, OTHER_ACCOUNT), await knownValues(app, ACCOUNT)]
  for (const known of callers) {
    const requests = fc.oneof(
      { weight: 9, arbitrary: anyRequest({ ...document, paths }, known) },
      { weight: 1, arbitrary: anyMcpRequest(document, known) },
    )
    const property = fc.asyncProperty(requests, async (request) => {
      let answer = await send(app, request)
      // The machine may have caused one delay; twice in a row it is ours.
      if (answer.ms > 1_000) answer = await send(app, request)
      seen[answer.status] = (seen[answer.status] ?? 0) + 1
      const flaws = judges[request.path === MCP_PATH ? 'mcp' : 'api'](request, answer)
      if (flaws.length > 0) throw new Error(flaws.join('\n'))
    })
    await fc.assert(property, { seed, numRuns: Math.ceil(runs / 2), interruptAfterTimeLimit: millis / 2 })
  }
  return seen
}

/** Creates a search, a property, rooms and bookings, so that requests find existing data. */
async function knownValues(app: TestApp, account: typeof ACCOUNT | typeof OTHER_ACCOUNT): Promise<KnownValues> {
  const token = await app.signIn(account)
  const fetchJson = async (options: InjectOptions) => (await app.as(token, { ...options, headers: SIMULATED })).json()
  const { data: places } = await fetchJson({ url: '/api/locations/search?starts_with=lisbon' })
  const search = {
    destination_id: places[0].id,
    check_in: '2027-03-01',
    check_out: '2027-03-03',
    occupancies: [{ adults: 2 }],
  }
  const { data } = await fetchJson({ method: 'POST', url: '/api/accommodation_searches/search', payload: search })
  const propertyId = data.availability[0].property_id
  const detail = await fetchJson({
    url: `/api/accommodation_searches/accommodation?search_id=${data.search_id}&property_id=${propertyId}&raw=true`,
  })
  const infos = detail.available_rooms.map((room: { booking_info: object }) => room.booking_info)
  const booked = await fetchJson({ method: 'POST', url: '/api/accommodation/book', payload: infos[0] })
  const agent = await knownToAgent(app, token)
  return {
    token,
    ...agent,
    values: {
      search_id: [data.search_id],
      property_id: [propertyId],
      booking_id: [booked.data.booking_id],
      starts_with: ['lisbon', 'par'],
      destination_id: [places[0].id],
    },
    bodies: {
      '/api/accommodation_searches/search': [search, { ...search, currency: 'EUR', radius_km: 5 }],
      '/api/accommodation/book': [
        ...infos,
        { ...infos[1], guests: [{ given_name: 'A', family_name: 'B' }], accept_price_up_to: 1e6 },
      ],
    },
  }
}

/** An earlier session, and arguments of each tool that find something. */
async function knownToAgent(app: TestApp, token: string): Promise<Pick<KnownValues, 'session' | 'tools'>> {
  const headers = { ...SIMULATED, host: '127.0.0.1', accept: 'application/json, text/event-stream' }
  const post = async (method: string, params: object, more: Readonly<Record<string, string>> = {}) => {
    const payload = { jsonrpc: '2.0', id: 1, method, params }
    return app.as(token, { method: 'POST', url: MCP_PATH, headers: { ...headers, ...more }, payload })
  }
  const clientInfo = { name: 'fuzz', version: '1' }
  const started = await post('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  const session = String(started.headers['mcp-session-id'])
  const use = async (name: string, args: object) => {
    const answer = await post('tools/call', { name, arguments: args }, { 'mcp-session-id': session })
    return JSON.parse(/\{.*\}/.exec(answer.body)?.[0] ?? 'null').result.structuredContent
  }
  const query = { query: 'Lisbon' }
  const { places } = await use('search_places', query)
  const dates = { check_in: '2027-03-01', check_out: '2027-03-03' }
  const search = { place_id: places[0].id, ...dates, rooms: [{ adults: 2 }] }
  const { search_id, stays } = await use('search_stays', search)
  const stay = { search_id, property_id: stays[0].property_id }
  const { rooms } = await use('get_rooms', stay)
  const orders = rooms.map(({ offer_id }: { offer_id: string }) => ({
    offer_id,
    guests: [{ given_name: 'Ana', family_name: 'Costa' }],
  }))
  const [first, second] = await Promise.all([0, 1].map((index) => use('prepare_booking', orders[index])))
  const confirm = ({ prepared_id, terms_digest }: Record<string, string>) => ({ prepared_id, terms_digest })
  const { booking_id } = await use('confirm_booking', confirm(first))
  const { cancel_digest } = await use('preview_cancellation', { booking_id })
  return {
    session,
    tools: {
      search_places: [query],
      search_stays: [search, { ...search, sort: 'price', min_stars: 3 }],
      get_rooms: [stay, { ...stay, with_texts: true, limit: 2 }],
      prepare_booking: orders,
      confirm_booking: [confirm(first), confirm(second)],
      get_booking: [{ booking_id }, { prepared_id: first.prepared_id }],
      preview_cancellation: [{ booking_id }],
      cancel_booking: [{ booking_id, cancel_digest }],
    },
  }
}

async function send(app: TestApp, { method, url, headers, body }: FuzzedRequest): Promise<JudgedAnswer> {
  const started = performance.now()
  const payload = body === undefined ? {} : { payload: body }
  const answer = await app.call({ method: method as 'GET', url, headers, ...payload })
  const ms = performance.now() - started
  const encoding = String(answer.headers['content-encoding'] ?? '')
  const unpack = encoding === 'br' ? brotliDecompressSync : encoding === 'gzip' ? gunzipSync : undefined
  const text = unpack === undefined ? answer.body : unpack(answer.rawPayload).toString('utf8')
  return { status: answer.statusCode, headers: answer.headers, body: text, ms }
}
