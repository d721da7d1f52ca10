import { type App, buildApp } from '../src/compose/app.ts'
import type { Overrides } from '../src/compose/core.ts'
import type { Config } from '../src/config.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { HOLDER } from './persons.ts'
import type { Answer, Stage } from './play-samples.ts'
import type { Recorder } from './recorder.ts'

const UNLIMITED = { quota: 1_000_000, windowMs: 60_000 }

/** The operator's configuration, but with a separate database and without background jobs. */
export const stageConfig = (config: Config, dataDir: string): Config => ({
  ...config,
  dataDir,
  databaseUrl: undefined,
  redisUrl: undefined,
  jobs: false,
  mail: { ...config.mail, smtp: undefined, keep: false },
  metrics: { ...config.metrics, port: undefined },
  content: { live: false, job: 'off', languages: [] },
  // Each sample must be complete, so nothing of an earlier one is reused.
  search: { ...config.search, reuseMs: 0 },
  allowances: { account: UNLIMITED, address: UNLIMITED, signInsPerAddress: UNLIMITED, signInsPerPair: UNLIMITED },
})

export type StageOptions = {
  readonly vendorId: string
  readonly destination: string
  readonly recorder: Recorder
  readonly environment: Readonly<Record<string, string>>
  /** Slow to load, so all stages share them. */
  readonly parts: Pick<Overrides, 'locations' | 'readingThreads'>
  /** Password of the account that books. */
  readonly password: string
  out(line: string): void
}

export type Work<T> = (stage: Stage, app: App) => Promise<T>

/** Runs the whole application with one vendor during `work`; every vendor exchange is recorded. */
export async function withStage<T>(
  config: Config,
  { environment, password, parts, ...options }: StageOptions,
  work: Work<T>,
): Promise<T> {
  const { onExchange } = options.recorder
  const app = await buildApp(config, { vendorEnvironment: Promise.resolve(environment), onExchange, ...parts })
  try {
    await app.manageAccounts.add(HOLDER.email, HOLDER.name, password)
    const send = createCaller(app, await fetchToken(app, password))
    return await work({ ...options, seen: new Set(), ask: send, settle: app.settleBookings, now: systemClock.now }, app)
  } finally {
    await app.close()
  }
}

async function fetchToken({ http }: App, password: string): Promise<string> {
  const payload = { user: { email: HOLDER.email, password } }
  const answer = await http.inject({ method: 'POST', url: '/api/accounts/get_token', payload })
  return answer.json<{ token: string }>().token
}

const createCaller =
  ({ http }: App, token: string): Stage['ask'] =>
  async (method, url, body, accept = 'application/json'): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, accept, 'user-agent': 'Serai certification' }
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await http.inject({ method, url, headers: { ...headers, ...type }, ...payload })
    const isJson = /json/.test(String(answer.headers['content-type']))
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body }
  }
