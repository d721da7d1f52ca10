import { hostname } from 'node:os'
import type { ContentStatus } from '../catalogue/sync/content-status.ts'
import { createRequestLog } from '../operator/request-log.ts'
import { addRequestLogMetrics } from '../operator/request-log-metrics.ts'
import { createRequestStore } from '../operator/store/requests.ts'
import { createVendorHealthStore } from '../operator/store/vendor-health.ts'
import type { ClassState, CountVendors } from '../operator/vendors/count-vendors.ts'
import type { KnownVendor } from '../operator/vendors/describe-vendor.ts'
import { addVendorUsageMetrics } from '../operator/vendors/metrics.ts'
import { createVendorHealth } from '../operator/vendors/vendor-health.ts'
import { addTaskMetrics } from '../store/task-metrics.ts'
import { countOverdue } from '../store/tasks.ts'
import { isReceiving } from '../webhooks/store/deliveries.ts'
import type { Core } from './core.ts'

export const PROCESS_NAME = `${hostname()} ${process.pid}`

type Parts = {
  readonly counts: CountVendors
  readonly known: readonly KnownVendor[]
  classStates(): ClassState[]
  contentStatus(): Promise<readonly ContentStatus[]>
}

export type ComposedMonitoring = ReturnType<typeof composeMonitoring>

/** Vendor health, request log and task metrics for operators. */
export function composeMonitoring(core: Core, { counts, known, classStates, contentStatus }: Parts) {
  const { config, clock, ids, log, registry, database, reportJobFailure } = core
  const vendorHealth = createVendorHealth({
    store: createVendorHealthStore(database),
    vendors: known,
    contentStatus,
    readingsPerMinute: config.readingsPerMinute,
    clock,
  })
  addVendorUsageMetrics(registry, {
    overviews: vendorHealth.overviews,
    onBug: (error) => reportJobFailure(error, 'metrics of vendors'),
  })
  const requestLog = createRequestLog({
    store: createRequestStore(database),
    clock,
    ids,
    ...addRequestLogMetrics(registry),
  })
  const countTasks = (now: number) => countOverdue(database.read, now, { webhook: isReceiving(now) })
  addTaskMetrics(registry, {
    overdue: countTasks,
    clock,
    onBug: (error) => reportJobFailure(error, 'metrics of tasks'),
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
    onSearch: counts.onSearch,
    vendorHealth,
    requestLog,
    overdueTasks: () => countTasks(clock.now()),
    noteRequest: config.requestLog ? requestLog.note : undefined,
    writeCounts,
    /** Writes this process's vendor counts and request log. */
    writeFigures,
    /** Writes them before the process ends, if the database is still available. */
    finish: (): Promise<void> =>
      writeFigures().catch((error: unknown) => log.error({ err: error }, 'the last figures were not written')),
  }
}
