import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiClient,
  addAccounts,
  collectOffers,
  createApiClient,
  fetchToken,
  type Offer,
} from '../../chaos/crash/api-client.ts'
import { CANARY_KINDS, type CanaryRequest, canaryRequests, createCanaries } from '../../chaos/fuzz/canaries.ts'
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
 * Stored in plain text, because clients search or use them and they name no person. All other client data must not be
 * readable in the database, and card numbers must not be there even in these fields.
 */
const PLAIN_FIELDS = ['body.client_reference', 'body.url', 'body.description']

let stage: Stage
let server: ServerProcess
let client: ApiClient
let token: string
let offers: Offer[]
const canaries = createCanaries()
/** Problem answers without their booking, which may name its own guests. */
const refusals: string[] = []
let sent = 0

beforeAll(async () => {
  stage = await openSmallStage('canary')
  const env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir, SERAI_LOG_LEVEL: 'trace' }
  await addAccounts(env, [HOLDER])
  server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
  token = await fetchToken(server.url, HOLDER)
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

/** Vendor failures are the likeliest to put bodies and headers into a log. */
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

/** Finds canaries and secrets in a text, by the field that sent them. */
function findLeaks(text: string, allowed: readonly string[] = []): string[] {
  const lower = text.toLowerCase()
  const found = canaries.foundIn(text).filter(({ kind, field }) => kind === 'card' || !allowed.includes(field))
  const given = Object.entries(secrets()).filter(([, value]) => lower.includes(value.toLowerCase()))
  return [...new Set([...found.map(({ field, kind }) => `${kind} in ${field}`), ...given.map(([name]) => name)])]
}

const database = () =>
  ['serai.db', 'serai.db-wal'].map((file) => readFileSync(join(stage.dataDir, file)).toString('utf8')).join('\n')

test('every kind of canary is found between other characters and in any letter case', () => {
  const some = createCanaries()
  const values = CANARY_KINDS.map((kind) => some.add(kind, kind))
  expect(some.foundIn('')).toEqual([])
  expect(some.foundIn(`4${values.join('4').toUpperCase()}4`).map(({ field }) => field)).toEqual(CANARY_KINDS)
})

describe('data of clients and vendors', () => {
  test('canaries are sent in every field, and some of them are in bookings', async () => {
    expect(sent).toBeGreaterThan(300)
    const bookings = await client.bookings()
    expect(bookings.length).toBeGreaterThan(10)
    expect(findLeaks(JSON.stringify(bookings))).toContain('name in body.guests[0].family_name')
    // Proves that the search works: plain fields are found.
    expect(findLeaks(database())).toContain('name in body.client_reference')
  })

  test('client data and secrets are not in the log, even at level trace', () => {
    expect(server.output().length).toBeGreaterThan(50_000)
    expect(findLeaks(server.output())).toEqual([])
  })

  test('client data and secrets are not in the metrics', async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toContain('http_server_request_duration_seconds')
    expect(findLeaks(metrics)).toEqual([])
  })

  test('client data and secrets are not in answers to refused requests', () => {
    expect(refusals.length).toBeGreaterThan(100)
    expect(findLeaks(refusals.join('\n'))).toEqual([])
  })

  test('client data and secrets are not readable in the database files', () => {
    expect(findLeaks(database(), PLAIN_FIELDS)).toEqual([])
  })
})
