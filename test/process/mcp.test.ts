import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

test('a legacy client is served over stdio', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const spies = [
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin),
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(output as unknown as typeof process.stdout),
  ]
  const before = process.env
  process.env = { ...env, SERAI_LOG_LEVEL: 'silent', SERAI_MCP_TOKEN: token }
  try {
    const exitCode = runSerai(['mcp'])
    const client = createClient('legacy')
    // Both directions have the same message format, so the server's transport also works for a client.
    const transport: Transport = new StdioServerTransport(output, input)
    await client.connect(transport, { timeout: 60_000 })
    const { structuredContent } = await client.callTool({ name: 'search_places', arguments: { query: 'Zermatt' } })
    expect(structuredContent).toMatchObject({
      places: expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]),
    })
    await client.close()
    input.end()
    expect(await exitCode).toBe(0)
  } finally {
    for (const spy of spies) spy.mockRestore()
    process.env = before
  }
}, 120_000)

test('the MCP server exits with the reason if the token is invalid', async () => {
  const ended = await runInProcess(['mcp'], { ...env, SERAI_LOG_LEVEL: 'silent', SERAI_MCP_TOKEN: 'srt_not_a_token' })
  expect(ended).toMatchObject({ code: 1, out: '' })
  expect(ended.err).toContain('SERAI_MCP_TOKEN is not set, unknown, expired or revoked')
}, 60_000)
