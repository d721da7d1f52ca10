import type { RouteOptions } from 'fastify'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { addProcessMetrics } from '../http/metrics.ts'
import { createLog } from '../http/middleware/log.ts'
import { type Ids, randomIds } from '../lib/crypto/ids.ts'
import { type Clock, systemClock } from '../lib/time/clock.ts'
import type { LocationIndex } from '../locations/location-index.ts'
import type { PageSettings } from '../page/routes/page-config.ts'
import type { PaymentProvider } from '../payments/provider.ts'
import type { Database } from '../store/database.ts'
import { createHistoryReader, type HistoryReader } from '../store/history.ts'
import { migrate } from '../store/migrations.ts'
import { checkSecrets } from '../store/secret-checks.ts'
import { addHistoryMetrics, addReplicaMetrics } from '../store/store-metrics.ts'
import type { ReadingThreads } from '../vendors/transport/reading-threads.ts'
import type { OnExchange } from '../vendors/transport/report-exchanges.ts'
import type { CommandLine } from './command-line.ts'
import { migrateConfigured, openConfigured } from './database.ts'
import { createJobFailureLogger } from './log/log-job-failures.ts'
import { openShared, type Shared } from './shared.ts'

/** Parts that a caller or a test may replace. The rest follows from the configuration. */
export type Overrides = {
  clock?: Clock
  ids?: Ids
  database?: Database
  locations?: LocationIndex | Promise<LocationIndex>
  logDestination?: { write(line: string): void }
  onRoute?: (route: RouteOptions) => void
  /** Pictures of the sandbox's properties. */
  picture?: (path: string) => string | undefined
  demo?: PageSettings['demo']
  commandLine?: CommandLine
  /** Called with every raw vendor request and response. */
  onExchange?: OnExchange
  /** Vendors' settings from the sandbox. */
  vendorEnvironment?: Promise<Readonly<Record<string, string>>>
  /** Threads that parse vendors' responses, if several apps of one process share them. */
  readingThreads?: ReadingThreads
  /** Replaces the configured payment provider. */
  paymentProvider?: PaymentProvider
  /** Replaces the registry's output, to merge the metrics of all workers. */
  metrics?: (own: Registry) => () => Promise<string>
}

/** Foundation of every other part. */
export type Core = {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  /** Logs failures of jobs and of metrics. One for all, so that an outage of the database is one line. */
  reportJobFailure(error: unknown, job: string): void
  readonly registry: Registry
  readonly shared: Shared
  readonly database: Database
  readonly history: HistoryReader
  /** Names of the migrations that were run. */
  readonly migrated: readonly string[]
  close(): Promise<void>
}

export async function openCore(config: Config, overrides: Overrides): Promise<Core> {
  const clock = overrides.clock ?? systemClock
  const log = createLog(config.logLevel, overrides.logDestination)
  const registry = new Registry()
  if (config.mode !== 'test') addProcessMetrics(registry)
  if (overrides.metrics !== undefined) registry.metrics = overrides.metrics(registry)

  const shared = await openShared({ config, clock, log, registry })
  const watching = { onHang: logHang(log), onReplicaRead: addReplicaMetrics(registry) }
  const database = overrides.database ?? openConfigured(config, watching)
  const migrated = overrides.database === undefined ? await migrateConfigured(config) : await migrate(database)
  await checkSecrets(database, config.secrets)
  const history = createHistoryReader(database, clock)
  addHistoryMetrics(registry, history)
  const { isBehind } = await history.read()
  if (isBehind) log.warn('commits of the database may be lost; run `serai bookings reconcile`')
  return {
    config,
    clock,
    ids: overrides.ids ?? randomIds,
    log,
    reportJobFailure: createJobFailureLogger(clock, log),
    registry,
    shared,
    database,
    history,
    migrated,
    async close() {
      await shared.close()
      if (overrides.database === undefined) await database.close()
    },
  }
}

const logHang = (log: Logger) => (isHung: boolean) =>
  isHung
    ? log.error('the database does not answer; queries fail at once until it does')
    : log.warn('the database answers again')
