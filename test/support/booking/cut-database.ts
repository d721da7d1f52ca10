import { randomUUID } from 'node:crypto'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXIT, getExitCode } from '../../../packages/client/src/cli/exit-codes.ts'
import { type Client, createClient, type Effect, SeraiError } from '../../../packages/client/src/index.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { toApiProblem } from '../../../web/src/api/problem.ts'
import { interpretFailure } from '../../../web/src/checkout/checkout.ts'
import { type LedgerApp, ledgerApp } from '../app/ledger-app.ts'
import { type Cut, startCutter } from '../servers/postgres-cutter.ts'

const GUESTS = [{ given_name: 'Ana', family_name: 'Costa' }]
/** A booking whose outcome cannot be stored is answered after this time, because the database comes back only then. */
export const PATIENCE_MS = 1_500
export type CutMode = Omit<Cut, 'statement'>
/** Higher than any operation here needs. */
const STATEMENTS_MAX = 60

let cutter: Awaited<ReturnType<typeof startCutter>>
let app: LedgerApp
let client: Client
let agent: McpClient

async function open(url: string): Promise<void> {
  cutter = await startCutter(url)
  const database = openDatabase({ kind: 'postgres', url: cutter.url, connectionsMax: 4 })
  app = await ledgerApp({ booking: { patienceMs: PATIENCE_MS } }, { database })
  client = createClient({ baseUrl: 'http://127.0.0.1', token: app.token, retries: 0, fetch: inProcess })
  agent = new McpClient({ name: 'test', version: '1' }, { capabilities: {} })
  const requestInit = { headers: { authorization: `Bearer ${app.token}` } }
  await agent.connect(
    new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { requestInit, fetch: inProcess }),
  )
}

async function close(): Promise<void> {
  await agent?.close()
  await app?.close()
  await cutter?.close()
}

/** Avoids sockets, so that only the database connection can break. */
async function inProcess(target: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const request = new Request(target, init)
  const { pathname, search } = new URL(request.url)
  const payload = await request.text()
  const response = await app.http.inject({
    method: request.method as 'GET' | 'POST',
    url: `${pathname}${search}`,
    headers: { ...Object.fromEntries(request.headers), host: '127.0.0.1' },
    ...(payload === '' ? {} : { payload }),
  })
  const headers = Object.entries(response.headers).map(([key, value]): [string, string] => [key, String(value)])
  return new Response(response.statusCode === 202 && response.body === '' ? null : response.body, {
    status: response.statusCode,
    headers,
  })
}

/** Returns an offer that its vendor can still sell. */
async function findOffer(): Promise<Record<string, string>> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { booking_info } = await app.room()
    const { data } = (await app.request({ url: booking_info.price_check_uri ?? '' })).json()
    if (data?.status === 'matched') return { ...booking_info }
  }
  throw new Error('no room is left')
}

/** Vendors' offers live for ten minutes and more. */
const FRESH_MS = 5 * 60_000
let search: { readonly searchId: string; readonly unseen: string[]; readonly searchedAt: number } | undefined

/** Searches again once all properties were visited, because a room of a search can be booked only once. */
async function searchByAgent() {
  const now = app.clock.now()
  if (search !== undefined && search.unseen.length > 0 && now - search.searchedAt < FRESH_MS) return search
  const place = (await callAgent('search_places', { query: 'Zermatt' })).data.places?.[0]
  const day = (ahead: number) => new Date(now + ahead * 86_400_000).toISOString().slice(0, 10)
  const stay = { check_in: day(40), check_out: day(42), rooms: [{ adults: 2 }] }
  const { data } = await callAgent('search_stays', { place_id: place?.id, ...stay, limit: 10 })
  const { search_id: searchId = '', stays = [] } = data
  search = { searchId, unseen: stays.map(({ property_id }) => property_id), searchedAt: now }
  return search
}

async function prepareByAgent(): Promise<AgentAnswer> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { searchId: search_id, unseen } = await searchByAgent()
    const property_id = unseen.shift()
    const { rooms = [] } = (await callAgent('get_rooms', { search_id, property_id })).data
    const room = rooms.find(({ rooms_left: left }) => left === null || left >= 3)
    if (room === undefined) continue
    const { data } = await callAgent('prepare_booking', { offer_id: room.offer_id, guests: GUESTS })
    if (data.prepared_id !== undefined) return data
  }
  throw new Error('no room is left')
}

const countBookings = async () => (await app.ledger()).length
const countCancellations = async () => (await app.ledger()).filter(({ status }) => status === 'cancelled').length

type Outcome = { readonly result: string; readonly effect: Effect | undefined }

/** Checks that API, client, command line and page report the same outcome of a call. */
async function readOutcome(call: Promise<{ readonly status: string }>): Promise<Outcome> {
  const error: unknown = await call.then(
    ({ status }) => status,
    (failure) => failure,
  )
  if (typeof error === 'string') return { result: error, effect: undefined }
  if (!(error instanceof SeraiError)) throw error
  const { effect, problem, code } = error
  expect([effect, error.status], code).toEqual([problem?.effect, problem?.status])
  expect(getExitCode(error) === EXIT.undecided, `${code}: ${getExitCode(error)}`).toBe(effect === 'unknown')
  const { phase } = interpretFailure(toApiProblem(error), false)
  expect(phase === 'unsure', `${code}: ${phase}`).toBe(effect === 'unknown')
  return { result: code, effect }
}

/** If a call is refused before the tool runs, the problem is in the transport error. */
function refusedCall({ message }: Error) {
  return { isError: true, content: [{ text: message.slice(message.indexOf('{')) }] }
}

async function callAgent(
  name: string,
  args: Record<string, unknown>,
): Promise<Outcome & { readonly data: AgentAnswer }> {
  const { isError, content } = await agent.callTool({ name, arguments: args }).catch(refusedCall)
  const [first] = content as { text: string }[]
  const data = JSON.parse(first?.text ?? 'null') as AgentAnswer
  if (isError !== true) return { result: data.status ?? '', effect: undefined, data }
  if (data.effect === 'unknown') {
    expect(data.message).toMatch(/^It is not known whether the (room was booked|booking was cancelled)\./)
    expect(data.message).not.toMatch(/try again|nothing was/i)
  }
  return { result: data.code ?? '', effect: data.effect, data }
}
type AgentAnswer = {
  readonly status?: string
  readonly code?: string
  readonly message?: string
  readonly effect?: Effect
  readonly places?: readonly { readonly id: string }[]
  readonly search_id?: string
  readonly stays?: readonly { readonly property_id: string }[]
  readonly rooms?: readonly { readonly offer_id: string; readonly rooms_left: number | null }[]
  readonly prepared_id?: string
  readonly terms_digest?: string
  readonly cancel_digest?: string
}

/** Outcomes that a repeat resolves. The first two say that nothing was done and that the client may repeat. */
const OPEN = [
  'overloaded',
  'store_unavailable',
  'request_in_progress',
  'submitting',
  'pending',
  'in_doubt',
  'cancelling',
]
/** First longer than the lease, then as long as the service waits before it trusts that a vendor has no booking. */
const WAITS_MS = [5_000, 30_000, ...Array.from({ length: 10 }, () => 5 * 60_000)]

type Run = {
  /** Sends the request; a second call repeats it. */
  send(): Promise<Outcome>
  /** Effects at the vendors. */
  count(): Promise<number>
  readonly succeeded: 'confirmed' | 'cancelled'
}
type Repeated = { readonly run: Run; readonly where: string; readonly acted: number; last: string }

type Statements = { readonly first: number; readonly stride: number }

/** Cuts the connection at the first statement and at every `stride`th after it, until a run needs fewer statements. */
async function cutEverywhere(mode: CutMode, { first, stride }: Statements, prepare: () => Promise<Run>): Promise<void> {
  const runs: Repeated[] = []
  let statement = first
  for (
    let cut = await cutAt(mode, statement, prepare);
    cut !== undefined;
    cut = await cutAt(mode, statement, prepare)
  ) {
    runs.push(cut)
    statement += stride
    if (statement > STATEMENTS_MAX) throw new Error('every statement was cut')
  }
  // Only the last statements follow the call of the vendor, so that large steps may miss them.
  for (let last = statement - 1; !runs.some(hasActed) && last > statement - stride; last -= 1) {
    const late = await cutAt(mode, last, prepare)
    if (late !== undefined) runs.push(late)
  }
  await settleAll(runs, stride)
}

const hasActed = ({ acted }: Repeated) => acted === 1

/** Undefined if the run needed fewer statements. */
async function cutAt(mode: CutMode, statement: number, prepare: () => Promise<Run>): Promise<Repeated | undefined> {
  const run = await prepare()
  const before = await run.count()
  cutter.arm({ ...mode, statement })
  const answer = await run.send()
  const acted = (await run.count()) - before
  const where = `statement ${statement}: ${answer.result}, effect ${answer.effect}, done ${acted}`
  if (!cutter.heal()) {
    expect([answer.result, acted], where).toEqual([run.succeeded, 1])
    return undefined
  }
  if (answer.effect === 'none') expect(acted, where).toBe(0)
  if (answer.result === run.succeeded) expect(acted, where).toBe(1)
  // A repeated cancellation waits, in real time, for the lease of the first one.
  if (run.succeeded === 'cancelled') app.clock.advance(5_000)
  const last = (await run.send()).result
  expect((await run.count()) - before, `${where}, repeated`).toBeLessThanOrEqual(1)
  return { run, where, acted, last }
}

/** Repeats all requests until their outcomes are final, while the service settles what is left open. */
async function settleAll(runs: readonly Repeated[], stride: number): Promise<void> {
  expect(runs.filter(({ where }) => where.includes('store_unavailable')).length).toBeGreaterThan(5 / stride)
  expect(runs.some(hasActed)).toBe(true)
  for (const waitMs of WAITS_MS) {
    const open = runs.filter(({ last }) => OPEN.includes(last))
    if (open.length === 0) break
    app.clock.advance(waitMs)
    await app.settleBookings()
    for (const repeated of open) repeated.last = (await repeated.run.send()).result
  }
  for (const { run, where, acted, last } of runs) {
    expect(OPEN, where).not.toContain(last)
    if (acted === 1) expect(last, where).toBe(run.succeeded)
  }
  const references = (await app.ledger()).map(({ ourReference }) => ourReference)
  expect(new Set(references).size).toBe(references.length)
}

const describeMode = ({ side, stays }: CutMode) =>
  `${side} a statement is executed${stays ? ', and the database stays down' : ', and the database is back at once'}`

/**
 * Cuts the connection at every `stride`th statement of a booking and of a cancellation. Each mode begins at another one.
 * `url` is a migrated database.
 */
export function cutDatabase(modes: readonly CutMode[], url: () => Promise<string>, stride: number): void {
  beforeAll(async () => open(await url()))
  afterAll(close)

  describe.each(
    modes.map((mode, index) => [describeMode(mode), mode, { first: 1 + (index % stride), stride }] as const),
  )('when the connection is lost %s', (_, mode, statements) => {
    test('API, client, command line and page report the true outcome of a booking, and a repeat does not book twice', () =>
      cutEverywhere(mode, statements, async () => {
        const order = { ...(await findOffer()), guests: GUESTS }
        const idempotencyKey = randomUUID()
        const send = () => readOutcome(client.booking.create(order, { idempotencyKey }))
        return { succeeded: 'confirmed', count: countBookings, send }
      }))

    test('API, client, command line and page report the true outcome of a cancellation, and a repeat does not cancel twice', () =>
      cutEverywhere(mode, statements, async () => {
        const { booking_id } = await client.booking.create({ ...(await findOffer()), guests: GUESTS })
        return {
          succeeded: 'cancelled',
          count: countCancellations,
          send: () => readOutcome(client.booking.cancel({ booking_id })),
        }
      }))

    test('an agent gets the true outcome of a booking, and confirming again does not book twice', () =>
      cutEverywhere(mode, statements, async () => {
        const { prepared_id, terms_digest } = await prepareByAgent()
        const send = () => callAgent('confirm_booking', { prepared_id, terms_digest })
        return { succeeded: 'confirmed', count: countBookings, send }
      }))

    test('an agent gets the true outcome of a cancellation, and cancelling again does not cancel twice', () =>
      cutEverywhere(mode, statements, async () => {
        const { booking_id } = await client.booking.create({ ...(await findOffer()), guests: GUESTS })
        const { cancel_digest } = (await callAgent('preview_cancellation', { booking_id })).data
        const send = () => callAgent('cancel_booking', { booking_id, cancel_digest })
        return { succeeded: 'cancelled', count: countCancellations, send }
      }))
  })
}
