import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { claimTask, extendTask, postponeTask, type Task } from '../../store/tasks.ts'
import { upsert } from '../../store/upsert.ts'

export type ContentJobStore = ReturnType<typeof createContentJobStore>
export type ContentClaim = { readonly task: Task; readonly row: Tables['content_jobs'] }
type ContentCounts = { vendor_id: string; properties: number; dropped: number; rooms_unread: number }

/** Progress and leases of the jobs that keep each vendor's content fresh. */
export function createContentJobStore(database: Database) {
  return {
    all: (): Promise<Tables['content_jobs'][]> => database.read.selectFrom('content_jobs').selectAll().execute(),

    /** The vendor's row, unless another process has the lease. */
    claim: (vendorId: string, now: number, leaseMs: number): Promise<ContentClaim | undefined> =>
      database.write(async (tx) => {
        const task = await claimTask(tx, { kind: 'content', subject: vendorId }, now, leaseMs)
        if (task === undefined) return undefined
        const rows = tx.selectFrom('content_jobs').selectAll().where('vendor_id', '=', vendorId)
        return { task, row: (await rows.executeTakeFirst()) ?? newRow(vendorId) }
      }),

    /** Saves progress and renews the lease; undefined if another process has taken over. */
    save: ({ task, row }: ContentClaim, leaseUntil: number): Promise<Task | undefined> =>
      database.write(async (tx) => {
        const extended = await extendTask(tx, task, leaseUntil)
        if (extended !== undefined) await upsert(tx, 'content_jobs', ['vendor_id'], [row])
        return extended
      }),

    /** Releases the lease until `dueAt`. */
    release: (task: Task, dueAt: number, failed: boolean): Promise<boolean> =>
      database.write((tx) => postponeTask(tx, task, dueAt, { failed })),

    /** Number of properties by vendor. Scans all of them. */
    async counts(): Promise<ContentCounts[]> {
      const rows = await database.read
        .selectFrom('vendor_properties')
        .select((eb) => [
          'vendor_id',
          eb.fn.countAll<number | string>().as('all'),
          eb.fn.count<number | string>('dropped_at').as('dropped'),
          eb.fn.count<number | string>('rooms_unread').as('unread'),
        ])
        .groupBy('vendor_id')
        .execute()
      return rows.map(({ vendor_id, all, dropped, unread }) => ({
        vendor_id,
        properties: Number(all) - Number(dropped),
        dropped: Number(dropped),
        rooms_unread: Number(unread),
      }))
    },
  }
}

const newRow = (vendorId: string): Tables['content_jobs'] => ({
  vendor_id: vendorId,
  requests_day: '',
  requests: 0,
  full_at: null,
  fresh_at: null,
  next_area: 0,
  dropped: 0,
  retry_at: null,
  failure: null,
})
