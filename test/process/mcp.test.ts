import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CRASH_ACCOUNT, fetchToken } from '../../chaos/crash/api-client.ts'
import { type Sandbox, startSandbox } from '../../sandbox/start-sandbox.ts'
import { runSerai } from '../../src/cli/run-serai.ts'
import { readConfig } from '../../src/config.ts'
import { type Running, serve } from '../../src/process/serve.ts'
import { testLocations } from '../support/app/app.ts'
import { runInProcess } from '../support/cli/run-in-process.ts'
import { aPlace } from '../support/sandbox/places.ts'
import { ROOT } from '../support/servers/server-process.ts'
import { sharedThreads } from '../support/vendors/shared-threads.ts'

const DAY_MS = 86_400_000
const GUESTS = [{ given_name: 'Ada', family_name: 'Lovelace' }]

const dataDir = mkdtempSync(join(tmpdir(), 'serai-mcp-'))
let sandbox: Sandbox
let server: Running
let env: Record<string, string>
let token: string
beforeAll(async () => {
  sandbox = await startSandbox({ places: [aPlace('Zermatt')], pictureBase: 'http://127.0.0.1:1/sandbox/pictures' })
  env = { ...sandbox.environment, NODE_ENV: 'development', SERAI_SANDBOX: 'false', SERAI_DATA_DIR: dataDir }
  const config = readConfig({ ...env, PORT: '0', SERAI_LOG_LEVEL: 'silent' })
  server = await serve(config, { locations: testLocations(), readingThreads: sharedThreads })
  await server.app.manageAccounts.add(CRASH_ACCOUNT.email, CRASH_ACCOUNT.name, CRASH_ACCOUNT.password)
  token = await fetchToken(server.url)
})
afterAll(async () => {
  await server?.stop()
  await sandbox?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Connection = { readonly over: 'stdio' | 'http'; readonly mode: 'auto' | 'legacy' }

function createClient(mode: Connection['mode']): Client {
  const capabilities = { elicitation: { form: {} } }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, capabilities })
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { confirm: true } }))
  return client
}

async function connect({ over, mode }: Connection): Promise<Client> {
  const client = createClient(mode)
  if (over === 'http') {
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit }))
    return client
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(ROOT, 'src/cli/serai.ts'), 'mcp'],
    // The log must not reach standard output.
    env: {
      PATH: process.env.PATH ?? '',
      NODE_NO_WARNINGS: '1',
      SERAI_LOG_LEVEL: 'debug',
      SERAI_MCP_TOKEN: token,
      ...env,
    },
    stderr: 'ignore',
  })
  await client.connect(transport, { timeout: 60_000 })
  return client
}

test.each<Connection & { days: number }>([
  { over: 'stdio', mode: 'auto', days: 40 },
  { over: 'http', mode: 'auto', days: 80 },
  { over: 'http', mode: 'legacy', days: 100 },
])(
  'an agent over $over ($mode) searches a place and makes exactly one booking at the vendors',
  async (connection) => {
    const client = await connect(connection)
    const callTool = async <T>(name: string, args: Record<string, unknown>): Promise<T> => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
      expect(isError, JSON.stringify(content)).not.toBe(true)
      return structuredContent as T
    }
    const ledger = async () =>
      (await Promise.all(Object.values(sandbox.control).map((control) => control.ledger()))).flat()
    const before = (await ledger()).length
    const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10)
    const place_id = (await callTool<{ places: { id: string }[] }>('search_places', { query: 'Zermatt' })).places[0]?.id
    const search = {
      place_id,
      check_in: day(connection.days),
      check_out: day(connection.days + 1),
      rooms: [{ adults: 2 }],
    }
    const { search_id, stays } = await callTool<{ search_id: string; stays: { property_id: string }[] }>(
      'search_stays',
      search,
    )
    const { rooms } = await callTool<{ rooms: { offer_id: string }[] }>('get_rooms', {
      search_id,
      property_id: stays[0]?.property_id,
    })
    type Prepared = { prepared_id: string; terms_digest: string }
    const { prepared_id, terms_digest } = await callTool<Prepared>('prepare_booking', {
      offer_id: rooms[0]?.offer_id,
      guests: GUESTS,
    })
    expect(await callTool('confirm_booking', { prepared_id, terms_digest })).toMatchObject({ status: 'confirmed' })
    expect(await ledger()).toHaveLength(before + 1)
    await client.close()
  },
  120_000,
)

/** Runs `use` with a client of the revision, whose user gives the answers in turn. */
async function overStdio(
  revision: string,
  answers: (ElicitResult | Error)[] | undefined,
  use: (callTool: CallTool) => Promise<void>,
): Promise<void> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin),
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(output as unknown as typeof process.stdout),
  ]
  const before = process.env
  process.env = { ...env, SERAI_LOG_LEVEL: 'silent', SERAI_MCP_TOKEN: token }
  try {
    const exitCode = runSerai(['mcp'])
    const client = new Client(
      { name: 'test', version: '1' },
      {
        supportedProtocolVersions: [revision],
        versionNegotiation: { mode: revision > '2026' ? 'auto' : 'legacy' },
        capabilities: answers === undefined ? {} : { elicitation: {} },
      },
    )
    if (answers !== undefined)
      client.setRequestHandler('elicitation/create', async () => {
        const answer = answers.shift() ?? new Error('asked once more')
        if (answer instanceof Error) throw answer
        return answer
      })
    // Both directions have the same message format, so the server's transport also works for a client.
    await client.connect(new StdioServerTransport(output, input), { timeout: 60_000 })
    await use(async (name, args) => {
      const { content } = await client.callTool({ name, arguments: args })
      return JSON.parse((content as { text: string }[])[0]?.text ?? 'null')
    })
    await client.close()
    input.end()
    expect(await exitCode).toBe(0)
  } finally {
    for (const spy of spies) spy.mockRestore()
    process.env = before
  }
}
type CallTool = (name: string, args: Json) => Promise<Json>
type Json = Record<string, unknown>

let days = 120
async function prepare(callTool: CallTool): Promise<Json> {
  days += 2
  const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10)
  const { places } = (await callTool('search_places', { query: 'Zermatt' })) as { places: { id: string }[] }
  const stay = { check_in: day(days), check_out: day(days + 1), rooms: [{ adults: 2 }] }
  const { search_id, stays } = await callTool('search_stays', { place_id: places[0]?.id, ...stay })
  const { property_id } = (stays as { property_id: string }[])[0] ?? {}
  const { rooms } = (await callTool('get_rooms', { search_id, property_id })) as { rooms: { offer_id: string }[] }
  const { prepared_id, terms_digest } = await callTool('prepare_booking', {
    offer_id: rooms[0]?.offer_id,
    guests: GUESTS,
  })
  return { prepared_id, terms_digest }
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('a client of revision %s over stdio', (revision) => {
  test('books nothing until its user has said yes', async () => {
    const answers = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept', content: { confirm: false } },
      ...(revision > '2026' ? [] : [new Error('the client cannot show it')]),
      { action: 'accept', content: { confirm: true } },
    ] satisfies (ElicitResult | Error)[]
    const codes = answers.map((answer) => (answer instanceof Error ? 'not_answered' : 'declined')).slice(0, -1)
    await overStdio(revision, answers, async (callTool) => {
      const args = await prepare(callTool)
      for (const code of codes) {
        expect(await callTool('confirm_booking', args)).toMatchObject({ code, effect: 'none' })
        const found = await callTool('get_booking', { prepared_id: args.prepared_id })
        expect(found).toMatchObject({ code: 'booking_not_found' })
      }
      expect(await callTool('confirm_booking', args)).toMatchObject({ status: 'confirmed' })
      expect(answers).toEqual([])
    })
  }, 120_000)

  test('books with the digest alone if it cannot ask', async () => {
    await overStdio(revision, undefined, async (callTool) => {
      const args = await prepare(callTool)
      expect(await callTool('confirm_booking', { ...args, terms_digest: 'x'.repeat(43) })).toMatchObject({
        code: 'digest_mismatch',
      })
      expect(await callTool('confirm_booking', args)).toMatchObject({ status: 'confirmed' })
    })
  }, 120_000)
})

test('the MCP server exits with the reason if the token is invalid', async () => {
  const ended = await runInProcess(['mcp'], { ...env, SERAI_LOG_LEVEL: 'silent', SERAI_MCP_TOKEN: 'srt_not_a_token' })
  expect(ended).toMatchObject({ code: 1, out: '' })
  expect(ended.err).toContain('SERAI_MCP_TOKEN is not set, unknown, expired or revoked')
}, 60_000)
