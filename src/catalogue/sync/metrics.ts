import { Gauge, type Registry } from 'prom-client'
import type { Clock } from '../../lib/time/clock.ts'
import type { ContentStatus } from './content-status.ts'

type Deps = {
  contentStatus(): Promise<readonly ContentStatus[]>
  readonly clock: Clock
  onBug(error: unknown): void
}

/** How each vendor's content stands, read from the database when somebody asks; every process tells the same. */
export function addContentMetrics(registry: Registry, deps: Deps): void {
  const add = (name: string, help: string, figureOf: (status: ContentStatus) => number | undefined) =>
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
          const value = figureOf(status)
          if (value !== undefined) this.set({ vendor: status.vendorId }, value)
        }
      },
    })
  add('serai_content_properties', 'Properties of the vendor in the catalogue.', ({ properties }) => properties)
  add('serai_content_dropped', 'Properties that the vendor no longer has.', ({ dropped }) => dropped)
  add(
    'serai_content_without_rooms',
    'Properties of which only what a list shows has been read.',
    ({ withoutRooms }) => withoutRooms,
  )
  add(
    'serai_content_age_seconds',
    'Since the content was last read to its end, whole or its changes; absent before the first time.',
    ({ freshAt }) => (freshAt === undefined ? undefined : Math.max(0, deps.clock.now() - freshAt) / 1000),
  )
  add('serai_content_requests_today', 'Requests for content today (UTC).', ({ requestsToday }) => requestsToday)
  add('serai_content_failing', '1 while the last attempt to read content has failed.', ({ failure }) =>
    failure === undefined ? 0 : 1,
  )
}
