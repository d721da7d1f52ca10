import { type Client, createClient } from '../../create-client.ts'
import { OPERATIONS } from '../../generated/operations.ts'
import { SeraiError } from '../../serai-error.ts'
import { type Command, parseCommand } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { CREDENTIALS_FILE, isOpenToOthers } from '../files.ts'
import { paint, printJson, stripControls } from '../output.ts'
import { DEFAULT_URL, readCredentials } from '../session.ts'

export const doctorCommand: Command = {
  summary: 'check the installation, the connection and the account',
  usage: `Usage: serai-api doctor

Checks this machine, the connection, the account and a simulated search. Exits with 1 if a check fails.`,
  options: [],
  async run(args) {
    const { values } = parseCommand(args, {}, { min: 0, max: 0 })
    const { url = DEFAULT_URL, token } = readCredentials()
    const client = createClient({ baseUrl: url, token, retries: 0 })
    const checks: Check[] = [
      ['this machine', async () => checkMachine()],
      ...REMOTE_CHECKS.map(([name, run]) => [name, () => run(client, url, token)] as Check),
    ]
    const results = []
    for (const [name, run] of checks) {
      const result = await run().then(
        (detail) => ({ name, ok: true, detail }),
        (error) => ({ name, ok: false, detail: describeError(error) }),
      )
      results.push(result)
      if (!values.json)
        console.log(`${result.ok ? paint('green', '✓') : paint('red', '✗')} ${name}: ${stripControls(result.detail)}`)
    }
    if (values.json) printJson(results)
    return results.every(({ ok }) => ok) ? EXIT.done : EXIT.failed
  },
}

type Check = readonly [name: string, run: () => Promise<string>]
type RemoteCheck = (client: Client, url: string, token: string | undefined) => Promise<string>

function describeError(error: unknown): string {
  if (!(error instanceof SeraiError)) return error instanceof Error ? error.message : String(error)
  const cause = Object(Object(error.cause).cause ?? error.cause)
  const reason = typeof cause.code === 'string' ? ` (${cause.code})` : ''
  return `${error.message}${reason} [${error.code}, request ${error.requestId}]`
}

function checkMachine(): string {
  if (isOpenToOthers(CREDENTIALS_FILE)) throw new Error(`others can read ${CREDENTIALS_FILE}: run chmod 600 on it`)
  return `Node ${process.versions.node}, ${isOpenToOthers(CREDENTIALS_FILE) === undefined ? 'no stored credentials' : CREDENTIALS_FILE}`
}

const CLOCK_TOLERANCE_MS = 60_000

const REMOTE_CHECKS: readonly (readonly [name: string, run: RemoteCheck])[] = [
  [
    'service',
    async ({ health }, url) => {
      const { status } = await health.ready()
      return `${url} is ${status}`
    },
  ],
  [
    'clock',
    async (_client, url) => {
      const { headers } = await fetch(`${url}/healthz`)
      const differenceMs = Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())
      if (differenceMs > CLOCK_TOLERANCE_MS)
        throw new Error(`differs by ${Math.round(differenceMs / 1000)} s from the service`)
      return 'agrees with the service'
    },
  ],
  [
    'version',
    async ({ docs }) => {
      const paths = Object.keys(Object(Object(await docs.openapi()).paths))
      const unknown = Object.values(OPERATIONS)
        .flatMap((group) => Object.values(group))
        .filter(({ path }) => !paths.includes(path))
      if (unknown.length > 0) throw new Error(`the service lacks ${unknown.map(({ id }) => id).join(', ')}`)
      return 'the service has every operation of this client'
    },
  ],
  [
    'account',
    async ({ booking }, _url, token) => {
      if (token === undefined) throw new Error('not signed in: run serai-api login')
      await booking.list({ limit: 1 })
      return token.startsWith('srk_') ? 'the API key is valid' : 'the token is valid'
    },
  ],
  [
    'search',
    async ({ locations, search }) => {
      const [place] = (await locations.search({ starts_with: 'paris', limit: 1 })).data
      const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
      const stay = { check_in: day(40), check_out: day(42), occupancies: [{ adults: 2 }] }
      const found = await search.create({ destination_id: place?.id ?? '', ...stay }, { simulate: 'success' })
      return `a simulated search found ${found.availability.length} properties`
    },
  ],
]
