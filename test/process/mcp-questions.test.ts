import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CRASH_ACCOUNT, fetchToken } from '../../chaos/crash/api-client.ts'
import { readConfig } from '../../src/config.ts'
import { type Running, serve } from '../../src/process/serve.ts'
import { testLocations } from '../support/app/app.ts'
import { sharedThreads } from '../support/vendors/shared-threads.ts'

type Json = Record<string, unknown>
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: { confirm: boolean } }
const YES: Answer = { action: 'accept', content: { confirm: true } }

const dataDir = mkdtempSync(join(tmpdir(), 'serai-mcp-questions-'))
const env = {
  NODE_ENV: 'development',
  SERAI_SANDBOX: 'false',
  SERAI_DATA_DIR: dataDir,
  SERAI_SECRETS: `k1:${randomBytes(32).toString('base64')}`,
  SERAI_LOG_LEVEL: 'silent',
  PORT: '0',
}
let server: Running
let key: string
const start = async () => serve(readConfig(env), { locations: testLocations(), readingThreads: sharedThreads })
beforeAll(async () => {
  server = await start()
  await server.app.manageAccounts.add(CRASH_ACCOUNT.email, CRASH_ACCOUNT.name, CRASH_ACCOUNT.password)
  const token = await fetchToken(server.url)
  const made = await fetch(new URL('/api/accounts/keys', server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'agent', mode: 'test', scopes: ['search', 'book', 'read', 'cancel'] }),
  })
  key = ((await made.json()) as { data: { key: string } }).data.key
})
const open: Client[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})
afterAll(async () => {
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

type Options = { revision: string; answer?: () => Answer | Promise<Answer>; sessionId?: string }
const questions: string[] = []

async function connect({ revision, answer }: Options) {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      supportedProtocolVersions: [revision],
      versionNegotiation: { mode: revision > '2026' ? 'auto' : 'legacy' },
      capabilities: answer === undefined ? {} : { elicitation: {} },
    },
  )
  if (answer !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      questions.push(params.message)
      return answer()
    })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit })
  await client.connect(transport)
  open.push(client)
  return { client, transport }
}

async function use(client: Client, name: string, args: Json, options = {}): Promise<Json & { code?: string }> {
  const { content } = await client.callTool({ name, arguments: args }, options)
  return JSON.parse((content as { text: string }[])[0]?.text ?? 'null')
}

let days = 40
async function prepare(client: Client) {
  days += 2
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const { places } = (await use(client, 'search_places', { query: 'Paris' })) as { places: { id: string }[] }
  const stay = { check_in: day(days), check_out: day(days + 1), rooms: [{ adults: 2 }] }
  const { search_id, stays } = await use(client, 'search_stays', { place_id: places[0]?.id, ...stay })
  const { property_id } = (stays as { property_id: string }[])[0] ?? {}
  const { rooms } = await use(client, 'get_rooms', { search_id, property_id })
  const offer_id = (rooms as { offer_id: string }[])[0]?.offer_id
  const guests = [{ given_name: 'Ada', family_name: 'Lovelace' }]
  const { prepared_id, terms_digest, summary } = await use(client, 'prepare_booking', { offer_id, guests })
  return { args: { prepared_id, terms_digest }, summary }
}
const isBooked = async (client: Client, { prepared_id }: Json) =>
  (await use(client, 'get_booking', { prepared_id })).code !== 'booking_not_found'

const REVISIONS = ['2025-06-18', '2025-11-25', '2026-07-28']

describe.each(REVISIONS)('a client of revision %s over HTTP', (revision) => {
  test('is asked with the summary, and its user’s yes books once', async () => {
    const { client } = await connect({ revision, answer: () => YES })
    const { args, summary } = await prepare(client)
    const before = questions.length
    const booked = await use(client, 'confirm_booking', args)
    expect(booked).toMatchObject({ status: 'confirmed' })
    expect(questions.slice(before)).toEqual([summary])
    expect(await use(client, 'confirm_booking', args), 'again, without a question').toEqual(booked)
    expect(questions).toHaveLength(before + 1)
    const { booking_id } = booked
    const { cancel_digest } = await use(client, 'preview_cancellation', { booking_id })
    expect(await use(client, 'cancel_booking', { booking_id, cancel_digest })).toMatchObject({ status: 'cancelled' })
    expect(questions).toHaveLength(before + 2)
  })

  test.each<Answer>([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { confirm: false } }])(
    'books nothing if its user answers %j',
    async (answer) => {
      const { client } = await connect({ revision, answer: () => answer })
      const { args } = await prepare(client)
      expect(await use(client, 'confirm_booking', args)).toMatchObject({ code: 'declined', effect: 'none' })
      expect(await isBooked(client, args)).toBe(false)
    },
  )

  test('books with the digest alone if it declared that it cannot ask', async () => {
    const { client } = await connect({ revision })
    const { args } = await prepare(client)
    expect(await use(client, 'confirm_booking', args)).toMatchObject({ status: 'confirmed' })
  })
})

describe.each(REVISIONS.slice(0, 2))('a session of revision %s', (revision) => {
  test('that is unknown to the server cannot move money, and is asked to initialize', async () => {
    const { client } = await connect({ revision, answer: () => YES })
    const { args } = await prepare(client)
    const answer = await fetch(new URL('/mcp', server.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': revision,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'confirm_booking', arguments: args },
      }),
    })
    const text = await answer.text()
    expect(text).toContain('session_required')
    expect(text).toContain('Mcp-Session-Id')
    expect(await isBooked(client, args)).toBe(false)
  })

  test('withdraws its question if the client no longer waits, so that a late yes books nothing', async () => {
    const late = Promise.withResolvers<Answer>()
    const { client } = await connect({ revision, answer: () => late.promise })
    const { args } = await prepare(client)
    const before = questions.length
    const call = use(client, 'confirm_booking', args, { timeout: 1_500 })
    await expect(call).rejects.toThrow()
    expect(questions).toHaveLength(before + 1)
    late.resolve(YES)
    await new Promise((later) => setTimeout(later, 1_000))
    expect(await isBooked(client, args)).toBe(false)
  })

  test('books nothing and delays no shutdown if the server stops while its user is asked', async () => {
    const late = Promise.withResolvers<Answer>()
    const { client } = await connect({ revision, answer: () => late.promise })
    const { args } = await prepare(client)
    const before = questions.length
    const call = use(client, 'confirm_booking', args).catch(() => ({ code: 'not_answered' }))
    await expect.poll(() => questions.length).toBe(before + 1)
    const started = performance.now()
    await server.stop()
    expect(performance.now() - started).toBeLessThan(8_000)
    expect(await call).toMatchObject({ code: 'not_answered' })
    server = await start()
    late.resolve(YES)
    expect(await isBooked((await connect({ revision })).client, args)).toBe(false)
  })

  test('still reaches its user after the server was restarted', async () => {
    const first = await connect({ revision, answer: () => YES })
    const { args } = await prepare(first.client)
    await server.stop()
    server = await start()
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', server.url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
      sessionId: first.transport.sessionId ?? '',
    })
    const seen: string[] = []
    const call = { jsonrpc: '2.0', id: 'x1', method: 'tools/call' } as const
    const result = await new Promise<Json>((resolve) => {
      transport.onmessage = (message) => {
        const { method, id, result } = message as { method?: string; id: string; result?: Json }
        seen.push(method ?? String(id))
        if (method === 'elicitation/create') void transport.send({ jsonrpc: '2.0', id, result: YES })
        else if (id === 'x1') resolve(result ?? {})
      }
      void transport
        .start()
        .then(() => transport.setProtocolVersion(revision))
        .then(() => transport.send({ ...call, params: { name: 'confirm_booking', arguments: args } }))
    })
    expect(seen).toEqual(['elicitation/create', 'x1'])
    expect(result.structuredContent).toMatchObject({ status: 'confirmed' })
    await transport.close()
  })
})
