import type { Database, Tx } from '../../store/database.ts'
import { claimTask, postponeTask, type Task } from '../../store/tasks.ts'

/** How often a vendor may be asked, and how often at once. */
export type Quota = { readonly perMinute: number; readonly most: number }

/** A vendor may be asked so often; `use` says how often it will be. */
type Turns = { readonly free: number; use(count: number): Promise<void> }

/** What was not used may be caught up with: a few readings at once, and those of the time between two rounds of the job. */
const BURST = 4
const CATCH_UP_MS = 10_000

/**
 * How often a vendor may be asked now, in the transaction that then asks: the row keeps when the next turn comes, so that all
 * processes together stay within the quota.
 */
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

/** How many turns are free now, counted from when the next one came or comes. */
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

/** When the lists of vendors are read again; of any number of processes one reads each. */
export function createVendorLists(database: Database) {
  return {
    /** Undefined when it is not due, or another process reads it. */
    claim: (vendorId: string, now: number, leaseMs: number): Promise<Task | undefined> =>
      database.write((tx) => claimTask(tx, { kind: 'list', subject: vendorId }, now, leaseMs)),

    done: (task: Task, dueAt: number): Promise<boolean> => database.write((tx) => postponeTask(tx, task, dueAt)),
  }
}

export type VendorLists = ReturnType<typeof createVendorLists>
