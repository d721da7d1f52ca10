import { Gauge, type Registry } from 'prom-client'
import { cachedFor } from '../lib/async/cached.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { OverdueTasks } from './tasks.ts'

type Deps = {
  overdue(now: number): Promise<readonly OverdueTasks[]>
  readonly clock: Clock
  onBug(error: unknown): void
}

/** All gauges and scrapers share one query. */
const CACHE_MS = 5_000

/** Counts come from the database, so every process reports the same values. */
export function addTaskMetrics(registry: Registry, { overdue, clock, onBug }: Deps): void {
  const readCounts = cachedFor(clock, CACHE_MS, () => overdue(clock.now()))
  const add = (name: string, help: string, read: (kind: OverdueTasks) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        this.reset()
        for (const counts of (await readCounts().catch(onBug)) ?? []) this.set({ kind: counts.kind }, read(counts))
      },
    })
  const seconds = (since: number | undefined) => (since === undefined ? 0 : Math.max(0, clock.now() - since) / 1000)
  add('serai_tasks_overdue', 'Due tasks that no process is working on.', ({ overdue }) => overdue)
  add(
    'serai_tasks_overdue_seconds',
    'Time since the most overdue task became due; 0 if there is none.',
    ({ overdueSince }) => seconds(overdueSince),
  )
  add('serai_tasks_failing', 'Tasks whose last attempt failed, due or not.', ({ failing }) => failing)
  add('serai_tasks_failing_seconds', 'Time since the oldest failing task was first due; 0 if there is none.', (kind) =>
    seconds(kind.failingSince),
  )
}
