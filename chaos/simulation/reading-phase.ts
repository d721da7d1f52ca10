import { HOUR_MS } from '../../src/lib/time/durations.ts'
import type { Database } from '../../src/store/database.ts'
import type { TaskKind } from '../../src/store/tasks.ts'
import type { Scenario } from './scenario.ts'
import type { Change } from './scripted-changes.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Covers the readings after ten minutes and a day, and the second lookup of a booking that was absent then. */
const READ_FOR_MS = 30 * HOUR_MS
const ROUNDS_MAX = 200

export type Changes = ReturnType<typeof scheduleChanges>

/** Changes that the vendor makes on its own at planned times; nothing else waits for them. */
export function scheduleChanges(
  time: VirtualTime,
  planned: Scenario['changes'],
  make: (nth: number, kind: Change) => void,
) {
  const startedAt = time.now()
  const open = [...planned].sort((a, b) => a.afterMs - b.afterMs)
  const next = () => startedAt + (open[0]?.afterMs ?? Number.POSITIVE_INFINITY)
  return {
    next,
    /** Advances time to a moment. */
    async advanceTo(moment: number): Promise<void> {
      while (next() <= moment) {
        await time.advanceTo(next())
        const change = open.shift()
        if (change !== undefined) make(change.nth, change.kind)
      }
      await time.advanceTo(moment)
    },
  }
}

/** Runs until the readings of the first day are done; returns false if that never happens. `read` starts one round. */
export async function runUntilRead(
  time: VirtualTime,
  database: Database,
  changes: Changes,
  slackMs: number,
  read: (round: number) => void,
): Promise<boolean> {
  const end = time.now() + READ_FOR_MS
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await time.rest()
    const due = await nextTask(database, 'read')
    const next = Math.min(time.next(), changes.next())
    if (due === undefined || due > end) {
      if (next > end) return true
      await changes.advanceTo(next)
    } else if (next <= due) {
      await changes.advanceTo(next)
    } else {
      // It must be due on the slower of the two clocks too.
      await changes.advanceTo(due + slackMs)
      read(round)
    }
  }
  return false
}

/** Earliest time at which a task of a kind can be claimed. */
export async function nextTask(database: Database, kind: TaskKind): Promise<number | undefined> {
  const rows = await database.read.selectFrom('tasks').selectAll().where('kind', '=', kind).execute()
  const moments = rows.map((row) => Math.max(row.due_at, row.lease_until))
  return moments.length === 0 ? undefined : Math.min(...moments)
}
