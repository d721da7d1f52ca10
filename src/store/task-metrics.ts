import { Gauge, type Registry } from 'prom-client'
import { cachedFor } from '../lib/async/cached.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { OverdueTasks } from './tasks.ts'

type Deps = {
  overdue(now: number): Promise<readonly OverdueTasks[]>
  readonly clock: Clock
  onBug(error: unknown): void
}

/** Several scrapers, or one that asks three times, cost one look at the database. */
const CACHE_MS = 5_000

/** Background work by kind, read from the database for each scrape; every process reports the same figures. */
export function addTaskMetrics(registry: Registry, { overdue, clock, onBug }: Deps): void {
  const read = cachedFor(clock, CACHE_MS, () => overdue(clock.now()))
  const add = (name: string, help: string, figureOf: (kind: OverdueTasks) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.reset()
        for (const kind of (await read().catch(onBug)) ?? []) this.set({ kind: kind.kind }, figureOf(kind))
      },
    })
  const seconds = (since: number | undefined) => (since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000)
  add('serai_tasks_overdue', 'Tasks that are due and that no process works on.', ({ overdue }) => overdue)
  add('serai_tasks_overdue_seconds', 'How long the most overdue task has been due; 0 if none is.', ({ overdueSince }) =>
    seconds(overdueSince),
  )
  add('serai_tasks_failing', 'Tasks whose last attempt failed, due or not.', ({ failing }) => failing)
  add('serai_tasks_failing_seconds', 'Time since the oldest failing task was first due; 0 if none is.', (kind) =>
    seconds(kind.failingSince),
  )
}
