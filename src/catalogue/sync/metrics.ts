import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../lib/time/clock.ts'
import type { ContentStatus } from './content-status.ts'

type Deps = {
  contentStatus(): Promise<readonly ContentStatus[]>
  readonly clock: Clock
  onBug(error: unknown): void
}

/** Read from the database on each scrape; all processes report the same values. */
export function addContentMetrics(registry: Registry, deps: Deps): void {
  const add = (name: string, help: string, readValue: (status: ContentStatus) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['vendor'],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.reset()
        const statuses = await deps.contentStatus().catch(deps.onBug)
        for (const status of statuses ?? []) {
          const value = readValue(status)
          if (value !== undefined) this.set({ vendor: status.vendorId }, value)
        }
      },
    })
  add('serai_content_properties', 'Properties of the vendor in the catalogue.', ({ properties }) => properties)
  add('serai_content_dropped', 'Properties that the vendor no longer has.', ({ dropped }) => dropped)
  add(
    'serai_content_without_rooms',
    'Properties that are known only from result lists.',
    ({ withoutRooms }) => withoutRooms,
  )
  add(
    'serai_content_age_seconds',
    'Age of the last complete full or incremental read; absent before the first one.',
    ({ freshAt }) => (freshAt === undefined ? undefined : Math.max(0, deps.clock.now() - freshAt) / 1000),
  )
  add('serai_content_requests_today', 'Requests for content today (UTC).', ({ requestsToday }) => requestsToday)
  add('serai_content_failing', '1 if the last attempt to read content failed.', ({ failure }) =>
    failure === undefined ? 0 : 1,
  )
}
