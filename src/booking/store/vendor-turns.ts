import type { Database, Tx } from '../../store/database.ts'
import { claimTask, postponeTask, type Task } from '../../store/tasks.ts'

/** Rate limit of a vendor, and the limit at once. */
export type Quota = { readonly perMinute: number; readonly most: number }

/** Free turns of a vendor; `use` takes some of them. */
type Turns = { readonly free: number; use(count: number): Promise<void> }

/** Unused turns that may be caught up: a few at once, or those between two rounds of the job. */
const BURST = 4
const CATCH_UP_MS = 10_000

/** The locked row stores the time of the next turn, so that all processes together stay within the quota. */
export async function takeTurns(tx: Tx, vendorId: string, now: number, { perMinute, most }: Quota): Promise<Turns> {
  const locked = tx.selectFrom('vendor_turns').select('next_reading_at').where('vendor_id', '=', vendorId).forUpdate()
  const known = await locked.executeTakeFirst()
  if (known === undefined) await addVendor(tx, vendorId)
  const row = known ?? (await locked.executeTakeFirstOrThrow())
  const { from, everyMs, free } = freeTurns(row.next_reading_at, now, perMinute)
  return {
    free: Math.min(most, free),
    async use(count) {
      await tx
        .updateTable('vendor_turns')
        .set({ next_reading_at: Math.round(from + count * everyMs) })
        .where('vendor_id', '=', vendorId)
        .execute()
    },
  }
}

/** Counts the free turns from the time of the next one. */
export function freeTurns(nextAt: number, now: number, perMinute: number) {
  const everyMs = 60_000 / perMinute
  const from = Math.max(nextAt, now - Math.max((BURST - 1) * everyMs, CATCH_UP_MS))
  return { from, everyMs, free: from > now ? 0 : Math.floor((now - from) / everyMs) + 1 }
}

const addVendor = (tx: Tx, vendorId: string) =>
  tx
    .insertInto('vendor_turns')
    .values({ vendor_id: vendorId, next_reading_at: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Schedules reading of the vendors' lists, each by one process at a time. */
export function createVendorLists(database: Database) {
  return {
    /** Undefined if it is not due or another process is reading it. */
    claim: (vendorId: string, now: number, leaseMs: number): Promise<Task | undefined> =>
      database.write((tx) => claimTask(tx, { kind: 'list', subject: vendorId }, now, leaseMs)),

    done: (task: Task, dueAt: number): Promise<boolean> => database.write((tx) => postponeTask(tx, task, dueAt)),
  }
}

export type VendorLists = ReturnType<typeof createVendorLists>
