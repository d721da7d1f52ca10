import { join } from 'node:path'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { createManageAccounts, type ManageAccounts } from './accounts/manage-accounts.ts'
import { createPasswords } from './accounts/passwords.ts'
import { createSignIn } from './accounts/sign-in.ts'
import { createTokens } from './accounts/tokens.ts'
import type { Config } from './config.ts'
import { buildHttp } from './http/build-http.ts'
import { createLog } from './http/log.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { type Ids, randomIds } from './lib/ids.ts'
import { createAccountStore } from './store/accounts.ts'
import { createMemoryCounters } from './store/counters.ts'
import { type Database, openDatabase } from './store/database.ts'
import { migrate } from './store/migrations.ts'
import { createSignInFailureStore } from './store/sign-in-failures.ts'
import { createTokenStore } from './store/tokens.ts'

/** What a test may turn: everything else follows from the configuration. */
export type Overrides = {
  clock?: Clock
  ids?: Ids
  database?: Database
  logDestination?: { write(line: string): void }
  onRoute?: (route: RouteOptions) => void
}

export type App = {
  readonly http: FastifyInstance
  readonly manageAccounts: ManageAccounts
  /** Names of the migrations that were run. */
  readonly migrated: readonly string[]
  /** From here on readiness says no; requests under way are still answered. */
  drain(): void
  close(): Promise<void>
}

/** The composition root: the only file that knows all parts. */
export async function buildApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock
  const ids = overrides.ids ?? randomIds
  const log = createLog(config.logLevel, overrides.logDestination)
  const registry = new Registry()
  if (config.mode !== 'test') collectDefaultMetrics({ register: registry })

  const database = overrides.database ?? openConfigured(config)
  const migrated = await migrate(database, clock)

  const accounts = createAccountStore(database)
  const failures = createSignInFailureStore(database)
  const passwords = createPasswords()
  const tokens = createTokens({ store: createTokenStore(database), clock, ttlMs: config.tokenTtlMs })
  const signIn = createSignIn({ accounts, failures, passwords, tokens, clock })
  const manageAccounts = createManageAccounts({ accounts, failures, passwords, clock, ids })

  let draining = false
  const http = await buildHttp({
    log,
    clock,
    ids,
    registry,
    counters: createMemoryCounters(clock),
    signIn,
    tokens,
    readiness: [{ name: 'store', check: () => database.probe() }],
    isDraining: () => draining,
    settings: config,
    onRoute: overrides.onRoute,
  })

  return {
    http,
    manageAccounts,
    migrated,
    drain: () => {
      draining = true
    },
    async close() {
      await http.close()
      if (overrides.database === undefined) await database.close()
    },
  }
}

export const sqlitePath = (config: Config): string => join(config.dataDir, 'serai.db')

export function openConfigured(config: Config): Database {
  return config.databaseUrl === undefined
    ? openDatabase({ kind: 'sqlite', path: sqlitePath(config) })
    : openDatabase({ kind: 'postgres', url: config.databaseUrl })
}
