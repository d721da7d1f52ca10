import { hash } from '@node-rs/argon2'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { createAccountStore } from '../../../src/accounts/store/accounts.ts'
import { type App, buildApp } from '../../../src/compose/app.ts'
import type { Overrides } from '../../../src/compose/core.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import { randomIds } from '../../../src/lib/crypto/ids.ts'
import { loadLocations } from '../../../src/locations/load-locations.ts'
import type { LocationIndex } from '../../../src/locations/location-index.ts'
import type { Database } from '../../../src/store/database.ts'
import { openMigrated } from '../store/migrated-database.ts'
import { manualClock } from '../time/clock.ts'
import { sharedThreads } from '../vendors/shared-threads.ts'

export const ACCOUNT = { email: 'ana@example.com', name: 'Ana Costa', password: 'correct horse battery' } as const
export const OTHER_ACCOUNT = {
  email: 'ben@example.com',
  name: 'Ben Okafor',
  password: 'another fine password',
} as const

export type TestApp = App & {
  readonly clock: ReturnType<typeof manualClock>
  /** All log lines. */
  readonly logged: string[]
  call(options: InjectOptions): Promise<LightMyRequestResponse>
  /** Calls with a bearer token. */
  as(token: string, options: InjectOptions): Promise<LightMyRequestResponse>
  signIn(account?: { email: string; password: string }): Promise<string>
}

let locations: LocationIndex | undefined
/** Loaded once per test process. */
export function testLocations(): LocationIndex {
  locations ??= loadLocations()
  return locations
}

/** The cheapest possible hash, because hundreds of tests sign in. */
const CHEAP_HASH = { memoryCost: 8, timeCost: 1, parallelism: 1 }
const ACCOUNTS = [ACCOUNT, OTHER_ACCOUNT].map(async ({ email, name, password }) => ({
  email,
  name,
  passwordHash: await hash(password, CHEAP_HASH),
}))

/** Leaves existing accounts unchanged. */
async function addAccounts(database: Database, createdAt: number): Promise<void> {
  const accounts = createAccountStore(database)
  for (const account of await Promise.all(ACCOUNTS))
    await accounts.add({ ...account, id: randomIds.prefixed('acc'), createdAt, disabledAt: undefined, role: 'client' })
}

/** The whole application in this process, with a database in memory and a manual clock. */
export async function testApp(settings: Partial<Config> = {}, overrides: Overrides = {}): Promise<TestApp> {
  const clock = manualClock()
  const logged: string[] = []
  const config = { ...readConfig({ NODE_ENV: 'test', SERAI_LOG_LEVEL: 'debug' }), jobs: false, ...settings }
  const database = overrides.database ?? (await openMigrated())
  const app = await buildApp(config, {
    clock,
    database,
    locations: testLocations(),
    logDestination: { write: (line) => logged.push(line) },
    readingThreads: sharedThreads,
    ...overrides,
  })
  await addAccounts(database, clock.now())
  const call = (options: InjectOptions) => app.http.inject(options)
  return {
    ...app,
    clock,
    logged,
    call,
    as: (token, options) => call({ ...options, headers: { authorization: `bearer: ${token}`, ...options.headers } }),
    async signIn(account = ACCOUNT) {
      const { email, password } = account
      const answer = await call({
        method: 'POST',
        url: '/api/accounts/get_token',
        payload: { user: { email, password } },
      })
      return answer.json<{ token: string }>().token
    },
    async close() {
      await app.close()
      await database.close()
    },
  }
}
