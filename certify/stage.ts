import { type App, buildApp } from '../src/compose/app.ts'
import type { Overrides } from '../src/compose/core.ts'
import type { Config } from '../src/config.ts'
import { systemClock } from '../src/lib/time/clock.ts'
import { HOLDER } from './persons.ts'
import type { Answer, Stage } from './play-samples.ts'
import type { Recorder } from './recorder.ts'

const MANY = { quota: 1_000_000, windowMs: 60_000 }

/** The configuration of an operator, but on a database of its own and without anything that runs by itself. */
export const stageConfig = (config: Config, dataDir: string): Config => ({
  ...config,
  dataDir,
  databaseUrl: undefined,
  redisUrl: undefined,
  jobs: false,
  mail: { ...config.mail, smtp: undefined, keep: false },
  metrics: { ...config.metrics, port: undefined },
  content: { live: false, job: 'off', languages: [] },
  // Each sample is to be seen whole, so nothing of an earlier one is used again.
  search: { ...config.search, reuseMs: 0 },
  allowances: { account: MANY, address: MANY, signInsPerAddress: MANY, signInsPerPair: MANY },
})

export type StageOptions = {
  readonly vendorId: string
  readonly destination: string
  readonly recorder: Recorder
  readonly environment: Readonly<Record<string, string>>
  /** Parts that take a while to load, so all stages share them. */
  readonly parts: Pick<Overrides, 'locations' | 'readingThreads'>
  /** Of the account that books. */
  readonly password: string
  out(line: string): void
}

export type Work<T> = (stage: Stage, app: App) => Promise<T>

/** The whole application for the time of `work`, with one vendor, every exchange of which is recorded. */
export async function withStage<T>(
  config: Config,
  { environment, password, parts, ...options }: StageOptions,
  work: Work<T>,
): Promise<T> {
  const { onExchange } = options.recorder
  const app = await buildApp(config, { vendorEnvironment: Promise.resolve(environment), onExchange, ...parts })
  try {
    await app.manageAccounts.add(HOLDER.email, HOLDER.name, password)
    const ask = caller(app, await tokenOf(app, password))
    return await work({ ...options, seen: new Set(), ask, settle: app.settleBookings, now: systemClock.now }, app)
  } finally {
    await app.close()
  }
}

async function tokenOf({ http }: App, password: string): Promise<string> {
  const payload = { user: { email: HOLDER.email, password } }
  const answer = await http.inject({ method: 'POST', url: '/api/accounts/get_token', payload })
  return answer.json<{ token: string }>().token
}

const caller =
  ({ http }: App, token: string): Stage['ask'] =>
  async (method, url, body, accept = 'application/json'): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, accept, 'user-agent': 'Serai certification' }
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await http.inject({ method, url, headers: { ...headers, ...type }, ...payload })
    const isJson = /json/.test(String(answer.headers['content-type']))
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body }
  }
