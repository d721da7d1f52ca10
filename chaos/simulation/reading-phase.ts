import { HOUR_MS } from '../../src/lib/time/durations.ts'
import type { Database } from '../../src/store/database.ts'
import type { TaskKind } from '../../src/store/tasks.ts'
import type { Scenario } from './scenario.ts'
import type { Change } from './scripted-changes.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Ten minutes and a day after confirming, and the second look at a booking that was absent then. */
const READ_FOR_MS = 30 * HOUR_MS
const ROUNDS_MAX = 200

export type Changes = ReturnType<typeof changesOf>

/** What the vendor changes of its own accord, as the time comes; nothing else waits for it. */
export function changesOf(time: VirtualTime, planned: Scenario['changes'], make: (nth: number, what: Change) => void) {
  const begin = time.now()
  const open = [...planned].sort((a, b) => a.afterMs - b.afterMs)
  const next = () => begin + (open[0]?.afterMs ?? Number.POSITIVE_INFINITY)
  return {
    next,
    /** Lets time pass up to a moment. */
    async until(moment: number): Promise<void> {
      while (next() <= moment) {
        await time.until(next())
        const change = open.shift()
        if (change !== undefined) make(change.nth, change.what)
      }
      await time.until(moment)
    },
  }
}

/** Goes on until the readings of the first day are made; false if that never happens. `read` starts one round. */
export async function untilRead(
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
      await changes.until(next)
    } else if (next <= due) {
      await changes.until(next)
    } else {
      // It must be due on the slower of the two clocks too.
      await changes.until(due + slackMs)
      read(round)
    }
  }
  return false
}

/** When a task of a kind can be claimed next. */
export async function nextTask(database: Database, kind: TaskKind): Promise<number | undefined> {
  const rows = await database.read.selectFrom('tasks').selectAll().where('kind', '=', kind).execute()
  const moments = rows.map((row) => Math.max(row.due_at, row.lease_until))
  return moments.length === 0 ? undefined : Math.min(...moments)
}
