import { hostname } from 'node:os'
import type { ContentStatus } from '../catalogue/content-status.ts'
import { addRequestLogMetrics } from '../jobs/request-log-metrics.ts'
import type { ClassState, CountVendors } from '../monitoring/count-vendors.ts'
import type { KnownVendor } from '../monitoring/describe-vendor.ts'
import { createRequestLog } from '../monitoring/request-log.ts'
import { createVendorHealth } from '../monitoring/vendor-health.ts'
import { createRequestStore } from '../store/requests.ts'
import { createVendorHealthStore } from '../store/vendor-health.ts'
import type { Core } from './core.ts'

export const PROCESS_NAME = `${hostname()} ${process.pid}`

type Parts = {
  readonly counts: CountVendors
  readonly known: readonly KnownVendor[]
  classStates(): ClassState[]
  contentStatus(): Promise<readonly ContentStatus[]>
}

export type ComposedMonitoring = ReturnType<typeof composeMonitoring>

/** What operators watch: how vendors do, and what was called. */
export function composeMonitoring(core: Core, { counts, known, classStates, contentStatus }: Parts) {
  const { config, clock, ids, log, registry, database } = core
  const vendorHealth = createVendorHealth({
    store: createVendorHealthStore(database),
    vendors: known,
    contentStatus,
    readingsPerMinute: config.readingsPerMinute,
    clock,
  })
  const requestLog = createRequestLog({
    store: createRequestStore(database),
    clock,
    ids,
    ...addRequestLogMetrics(registry),
  })
  const writeCounts = async () => {
    await counts.write(classStates())
    return 0
  }
  const writeFigures = async (): Promise<void> => {
    await writeCounts()
    await requestLog.write()
  }
  return {
    /** Told of every search, with the vendors that took part in it. */
    onSearch: counts.onSearch,
    vendorHealth,
    requestLog,
    noteRequest: config.requestLog ? requestLog.note : undefined,
    writeCounts,
    /** Writes what this process has counted and noted. */
    writeFigures,
    /** The same before the process ends; the database may be gone. */
    finish: (): Promise<void> =>
      writeFigures().catch((error: unknown) => log.error({ err: error }, 'the last figures were not written')),
  }
}
