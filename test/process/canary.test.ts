import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiClient,
  addAccounts,
  collectOffers,
  createApiClient,
  type Offer,
  signIn,
} from '../../chaos/crash/api-client.ts'
import { type CanaryRequest, canaryRequests, createCanaries, KINDS } from '../../chaos/fuzz/canaries.ts'
import type { Document } from '../../chaos/fuzz/schema.ts'
import { freePort } from '../support/servers/postgres.ts'
import {
  openSmallStage,
  type ServerProcess,
  type Stage,
  sleep,
  startServer,
} from '../support/servers/server-process.ts'

const HOLDER = { email: 'holder-canary@example.com', name: 'Hedda Holdercanary', password: 'canary-Passw0rd-9s8d7' }

/**
 * Kept as they are, because they are there to be found or reached again: nobody is named by them. Everything else that a
 * client sends must not be readable in the database, and a card number not even there.
 */
const KEPT_READABLE = ['body.client_reference', 'body.url', 'body.description']

let stage: Stage
let server: ServerProcess
let client: ApiClient
let token: string
let offers: Offer[]
const canaries = createCanaries()
/** Problems that were answered, with the booking itself taken out: that one belongs to whoever asked. */
const refusals: string[] = []
let sent = 0

beforeAll(async () => {
  stage = await openSmallStage('canary')
  const env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir, SERAI_LOG_LEVEL: 'trace' }
  await addAccounts(env, [HOLDER])
  server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
  token = await signIn(server.url, HOLDER)
  client = createApiClient(server.url, token)
  offers = (await collectOffers(client, 300)).filter(({ roomsLeft }) => roomsLeft === null || roomsLeft >= 5)
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document
  for (const request of canaryRequests(document, canaries, () => offers.pop()?.info ?? {})) await send(request)
  await sendThroughFaults()
  await sleep(500)
})
afterAll(async () => {
  await server?.kill()
  await stage?.close()
})

async function send({ method, url, headers, body }: CanaryRequest): Promise<void> {
  sent += 1
  const answer = await fetch(`${server.url}${url}`, {
    method,
    headers: { authorization: `bearer: ${token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  if (!String(answer.headers.get('content-type')).startsWith('application/problem+json')) return
  const { booking: _ours, ...problem } = JSON.parse(text)
  refusals.push(JSON.stringify(problem))
}

/** Vendors' failures are where bodies and headers tend to end up in a log. */
async function sendThroughFaults(): Promise<void> {
  for (const kind of ['error_after', 'html', 'truncate', 'reset_after', 'throttle'] as const) {
    for (const control of Object.values(stage.sandbox.control)) {
      await control.addFaults({ kind, operation: 'book', times: 1 }, { kind, operation: 'price_check', times: 1 })
    }
    for (let times = 0; times < 3; times += 1) {
      const names = { given_name: canaries.add('faulty guest'), family_name: canaries.add('faulty guest') }
      await client.book({
        ...offers.pop()?.info,
        guests: [{ ...names, email: `${canaries.add('mail')}@example.com` }],
      })
    }
    for (const control of Object.values(stage.sandbox.control)) await control.clearFaults()
  }
}

const secrets = () => ({
  token,
  password: HOLDER.password,
  ...Object.fromEntries(Object.entries(stage.sandbox.environment).filter(([name]) => /SECRET|API_KEY/.test(name))),
})

/** Every canary and secret that a text holds, by where it was put in. */
function hits(text: string, kept: readonly string[] = []): string[] {
  const lower = text.toLowerCase()
  const found = canaries.foundIn(text).filter(({ kind, field }) => kind === 'card' || !kept.includes(field))
  const given = Object.entries(secrets()).filter(([, value]) => lower.includes(value.toLowerCase()))
  return [...new Set([...found.map(({ field, kind }) => `${kind} in ${field}`), ...given.map(([name]) => name)])]
}

const database = () =>
  ['serai.db', 'serai.db-wal'].map((file) => readFileSync(join(stage.dataDir, file)).toString('utf8')).join('\n')

test('every kind of canary is found, whatever stands beside it, in upper and lower case', () => {
  const some = createCanaries()
  const values = KINDS.map((kind) => some.add(kind, kind))
  expect(some.foundIn('')).toEqual([])
  expect(some.foundIn(`4${values.join('4').toUpperCase()}4`).map(({ field }) => field)).toEqual(KINDS)
})

describe('what clients and vendors entrust to us is nowhere to be read', () => {
  test('the canaries went through every field, and some of them into bookings', async () => {
    expect(sent).toBeGreaterThan(300)
    const bookings = await client.bookings()
    expect(bookings.length).toBeGreaterThan(10)
    expect(hits(JSON.stringify(bookings))).toContain('name in body.guests[0].family_name')
    // The search itself works: what is kept on purpose is found.
    expect(hits(database())).toContain('name in body.client_reference')
  })

  test('not in the log, even at its chattiest', () => {
    expect(server.output().length).toBeGreaterThan(50_000)
    expect(hits(server.output())).toEqual([])
  })

  test('not in the metrics', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('http_server_request_duration_seconds')
    expect(hits(metrics)).toEqual([])
  })

  test('not in what refused requests are told', () => {
    expect(refusals.length).toBeGreaterThan(100)
    expect(hits(refusals.join('\n'))).toEqual([])
  })

  test('not in the database files', () => {
    expect(hits(database(), KEPT_READABLE)).toEqual([])
  })
})
