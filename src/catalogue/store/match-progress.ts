import type { Database, ReadOnly } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { claimTask, deleteTask, finishTask, postponeTask, type Task } from '../../store/tasks.ts'
import { upsert } from '../../store/upsert.ts'

export type MatchProgressStore = ReturnType<typeof createMatchProgressStore>

/** Below every cell number. */
const BEFORE_ALL = -1

const SUBJECT = { kind: 'match', subject: 'all' } as const

type Claimed = { readonly task: Task; readonly row: Tables['match_progress'] }

/** Progress of matching all properties by new rules; one process at a time works on it. */
export function createMatchProgressStore(database: Database) {
  const rows = (db: ReadOnly) => db.selectFrom('match_progress').selectAll().where('id', '=', 1)
  return {
    read: () => rows(database.read).executeTakeFirst(),

    /** Undefined if nothing is left to do or another process has the lease. */
    claim: (rules: number, now: number, leaseMs: number): Promise<Claimed | undefined> =>
      database.write(async (tx) => {
        const row = await rows(tx).executeTakeFirst()
        const isStale = row === undefined || row.rules < rules
        // A newer version has judged already, so its rules stay.
        if (!isStale && (row.rules > rules || row.finished_at !== null)) return undefined
        if (isStale) await deleteTask(tx, SUBJECT)
        const task = await claimTask(tx, SUBJECT, now, leaseMs)
        if (task === undefined) return undefined
        if (!isStale) return { task, row }
        const fresh = { id: 1, rules, after_cell: BEFORE_ALL, joined: 0, split: 0, finished_at: null }
        await upsert(tx, 'match_progress', ['id'], [fresh])
        return { task, row: fresh }
      }),

    /** Saves progress and releases the lease, unless another process has taken over. */
    save: ({ task, row }: Claimed, now: number): Promise<boolean> =>
      database.write(async (tx) => {
        const isOurs = await (row.finished_at === null ? postponeTask(tx, task, now) : finishTask(tx, task))
        if (isOurs) await upsert(tx, 'match_progress', ['id'], [row])
        return isOurs
      }),

    /** Makes the whole catalogue be judged again. */
    startAgain: (): Promise<void> =>
      database.write(async (tx) => {
        await deleteTask(tx, SUBJECT)
        await tx.deleteFrom('match_progress').execute()
      }),
  }
}
