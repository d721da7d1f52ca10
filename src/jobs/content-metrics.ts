import { Gauge, type Registry } from 'prom-client'
import type { ContentStatus } from '../catalogue/content-status.ts'
import type { Clock } from '../lib/clock.ts'

type Deps = {
  contentStatus(): Promise<readonly ContentStatus[]>
  readonly clock: Clock
  onBug(error: unknown): void
}

/** Counting a million properties takes a while. */
const CACHE_MS = 60_000

/** How each vendor's content stands, read from the database when somebody asks; every process tells the same. */
export function addContentMetrics(registry: Registry, deps: Deps): void {
  const statuses = cachedStatuses(deps)
  const add = (name: string, help: string, figureOf: (status: ContentStatus) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ['vendor'],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.reset()
        for (const status of (await statuses()) ?? []) {
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

/** Undefined while the database cannot be read. */
function cachedStatuses({ contentStatus, clock, onBug }: Deps): () => Promise<readonly ContentStatus[] | undefined> {
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<readonly ContentStatus[] | undefined> = Promise.resolve(undefined)
  return () => {
    const now = clock.now()
    if (now - readAt >= CACHE_MS || now < readAt) {
      readAt = now
      reading = contentStatus().catch((error: unknown) => {
        readAt = Number.NEGATIVE_INFINITY
        onBug(error)
        return undefined
      })
    }
    return reading
  }
}
