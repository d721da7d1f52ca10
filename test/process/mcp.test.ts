import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccounts, signIn } from '../../chaos/crash/api-client.ts'
import { freePort } from '../support/servers/postgres.ts'
import { openStage, ROOT, type ServerProcess, type Stage, startServer } from '../support/servers/server-process.ts'

const DAY_MS = 86_400_000
const GUESTS = [{ given_name: 'Ada', family_name: 'Lovelace' }]

let stage: Stage
let server: ServerProcess | undefined
let env: Record<string, string>
let token: string
beforeAll(async () => {
  stage = await openStage('mcp')
  env = { ...stage.sandbox.environment, SERAI_DATA_DIR: stage.dataDir }
  await addAccounts(env)
  server = await startServer({ dataDir: stage.dataDir, port: await freePort(), env })
  token = await signIn(server.url)
})
afterAll(async () => {
  await server?.stop()
  await stage.close()
})

type Way = { readonly over: 'stdio' | 'http'; readonly mode: 'auto' | 'legacy' }

const PROGRAM = [join(ROOT, 'src/cli/serai.ts'), 'mcp']
const environmentOf = (given: string) => ({
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'development',
  NODE_NO_WARNINGS: '1',
  SERAI_SANDBOX: 'false',
  SERAI_LOG_LEVEL: 'debug',
  SERAI_MCP_TOKEN: given,
  ...env,
})

async function connect({ over, mode }: Way): Promise<Client> {
  const capabilities = { elicitation: { form: {} } }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, capabilities })
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { confirm: true } }))
  if (over === 'http') {
    const requestInit = { headers: { authorization: `Bearer ${token}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server?.url), { requestInit }))
    return client
  }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: PROGRAM,
    env: environmentOf(token),
    stderr: 'ignore',
  })
  await client.connect(transport, { timeout: 60_000 })
  return client
}

test.each<Way & { days: number }>([
  { over: 'stdio', mode: 'auto', days: 40 },
  { over: 'http', mode: 'auto', days: 80 },
  { over: 'http', mode: 'legacy', days: 100 },
])(
  'over $over ($mode) an agent comes from a place to exactly one booking at the vendors',
  async (way) => {
    const client = await connect(way)
    const use = async <T>(name: string, args: Record<string, unknown>): Promise<T> => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
      expect(isError, JSON.stringify(content)).not.toBe(true)
      return structuredContent as T
    }
    const ledger = async () =>
      (await Promise.all(Object.values(stage.sandbox.control).map((one) => one.ledger()))).flat()
    const before = (await ledger()).length
    const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10)
    const place_id = (await use<{ places: { id: string }[] }>('search_places', { query: 'Zermatt' })).places[0]?.id
    const search = {
      place_id,
      check_in: day(way.days),
      check_out: day(way.days + 1),
      rooms: [{ adults: 2 }],
    }
    const { search_id, stays } = await use<{ search_id: string; stays: { property_id: string }[] }>(
      'search_stays',
      search,
    )
    const { rooms } = await use<{ rooms: { offer_id: string }[] }>('get_rooms', {
      search_id,
      property_id: stays[0]?.property_id,
    })
    type Prepared = { prepared_id: string; terms_digest: string }
    const { prepared_id, terms_digest } = await use<Prepared>('prepare_booking', {
      offer_id: rooms[0]?.offer_id,
      guests: GUESTS,
    })
    expect(await use('confirm_booking', { prepared_id, terms_digest })).toMatchObject({ status: 'confirmed' })
    expect(await ledger()).toHaveLength(before + 1)
    await client.close()
  },
  120_000,
)

test('over stdio a client of the time before is served too', async () => {
  const client = await connect({ over: 'stdio', mode: 'legacy' })
  const { structuredContent } = await client.callTool({ name: 'search_places', arguments: { query: 'Zermatt' } })
  expect(structuredContent).toMatchObject({
    places: expect.arrayContaining([expect.objectContaining({ id: expect.any(String) })]),
  })
  await client.close()
}, 120_000)

test('without a good token nothing is served, and the reason is said', async () => {
  const ended = spawnSync(process.execPath, PROGRAM, { env: environmentOf('srt_not_a_token'), encoding: 'utf8' })
  expect(ended).toMatchObject({ status: 1, stdout: '' })
  expect(ended.stderr).toContain('SERAI_MCP_TOKEN is not set, unknown, expired or revoked')
}, 60_000)
