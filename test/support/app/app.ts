import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type App, buildApp } from '../../../src/compose/app.ts'
import type { Overrides } from '../../../src/compose/core.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import { LOCATIONS_FILE, loadLocations } from '../../../src/locations/load-locations.ts'
import type { LocationIndex } from '../../../src/locations/location-index.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { manualClock } from '../time/clock.ts'

export const ACCOUNT = { email: 'ana@example.com', name: 'Ana Costa', password: 'correct horse battery' } as const
export const OTHER_ACCOUNT = {
  email: 'ben@example.com',
  name: 'Ben Okafor',
  password: 'another fine password',
} as const

export type TestApp = App & {
  readonly clock: ReturnType<typeof manualClock>
  /** Every line that was logged. */
  readonly logged: string[]
  call(options: InjectOptions): Promise<LightMyRequestResponse>
  /** A call with a valid token of ACCOUNT. */
  as(token: string, options: InjectOptions): Promise<LightMyRequestResponse>
  signIn(account?: { email: string; password: string }): Promise<string>
}

let locations: LocationIndex | undefined
/** Opened once a test file; it never changes. */
export function testLocations(): LocationIndex {
  locations ??= loadLocations(LOCATIONS_FILE)
  return locations
}

/** The whole application in this process: real store in memory, real routes, a clock the test can turn. */
export async function testApp(settings: Partial<Config> = {}, overrides: Overrides = {}): Promise<TestApp> {
  const clock = manualClock()
  const logged: string[] = []
  const config = { ...readConfig({ NODE_ENV: 'test', SERAI_LOG_LEVEL: 'debug' }), jobs: false, ...settings }
  const database = overrides.database ?? openDatabase({ kind: 'sqlite', path: ':memory:' })
  const app = await buildApp(config, {
    clock,
    database,
    locations: testLocations(),
    logDestination: { write: (line) => logged.push(line) },
    ...overrides,
  })
  for (const { email, name, password } of [ACCOUNT, OTHER_ACCOUNT]) await app.manageAccounts.add(email, name, password)
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
