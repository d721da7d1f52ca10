import { chunk } from '../../lib/chunk.ts'
import { ROWS_AT_ONCE } from '../../store/batches.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { upsert } from '../../store/upsert.ts'

/** Counts of one process since its last report, and its breakers. */
type ProcessFigures = {
  readonly calls: readonly Tables['vendor_call_counts'][]
  readonly searches: readonly Tables['vendor_searches'][]
  readonly breakers: readonly Tables['vendor_breakers'][]
}

export type CallSum = Pick<
  Tables['vendor_call_counts'],
  'began_at' | 'vendor_id' | 'operation' | 'outcome' | 'up_to_ms' | 'calls'
>
export type AccountCount = { readonly vendorId: string; readonly accountId: string; readonly count: number }

export type VendorHealthStore = ReturnType<typeof createVendorHealthStore>

/** States of bookings that the vendor has accepted at some time. */
const BOOKED = ['confirmed', 'cancelling', 'cancelled', 'needs_review'] as const

/** Totals of all processes. */
export function createVendorHealthStore(database: Database) {
  return {
    ...lookCounts(database),

    add: ({ calls, searches, breakers }: ProcessFigures): Promise<void> =>
      database.write(async (tx) => {
        await addCalls(tx, calls)
        await addSearches(tx, searches)
        await upsert(tx, 'vendor_breakers', ['process', 'vendor_id', 'call_class'], breakers)
      }),

    /** Calls by spans of `minutes` since `since`. */
    async calls(minutes: 5 | 60, since: number): Promise<CallSum[]> {
      return database.read
        .selectFrom('vendor_call_counts')
        .select(['began_at', 'vendor_id', 'operation', 'outcome', 'up_to_ms', 'calls'])
        .where('minutes', '=', minutes)
        .where('began_at', '>=', since)
        .execute()
    },

    /** The same without times, summed by the database. */
    async callTotals(minutes: 5 | 60, since: number): Promise<Omit<CallSum, 'began_at'>[]> {
      const rows = await database.read
        .selectFrom('vendor_call_counts')
        .select((eb) => [
          'vendor_id',
          'operation',
          'outcome',
          'up_to_ms',
          eb.fn.sum<number | string>('calls').as('sum'),
        ])
        .where('minutes', '=', minutes)
        .where('began_at', '>=', since)
        .groupBy(['vendor_id', 'operation', 'outcome', 'up_to_ms'])
        .execute()
      return rows.map(({ sum, ...row }) => ({ ...row, calls: Number(sum) }))
    },

    breakers: (seenSince: number): Promise<Tables['vendor_breakers'][]> =>
      database.read.selectFrom('vendor_breakers').selectAll().where('seen_at', '>=', seenSince).execute(),

    /** Next turn of each vendor for reading bookings. */
    turns: (): Promise<{ vendor_id: string; next_reading_at: number }[]> =>
      database.read.selectFrom('vendor_turns').select(['vendor_id', 'next_reading_at']).execute(),

    deleteOld: (old: Ages): Promise<void> => database.write((tx) => deleteOld(tx, old)),
  }
}

/** Older rows are deleted. */
type Ages = {
  readonly slots: number
  readonly hours: number
  readonly breakers: number
  readonly day: string
}

async function deleteOld(tx: Tx, old: Ages): Promise<void> {
  for (const [minutes, before] of [[5, old.slots] as const, [60, old.hours] as const])
    await tx.deleteFrom('vendor_call_counts').where('minutes', '=', minutes).where('began_at', '<', before).execute()
  await tx.deleteFrom('vendor_breakers').where('seen_at', '<', old.breakers).execute()
  await tx.deleteFrom('vendor_searches').where('day', '<', old.day).execute()
}

/** Searches and bookings by vendor and account. */
const lookCounts = (database: Database) => ({
  async searches(sinceDay: string): Promise<AccountCount[]> {
    const rows = await database.read
      .selectFrom('vendor_searches')
      .select((eb) => ['vendor_id', 'account_id', eb.fn.sum<number | string>('searches').as('sum')])
      .where('day', '>=', sinceDay)
      .groupBy(['vendor_id', 'account_id'])
      .execute()
    return rows.map(({ vendor_id, account_id, sum }) => accountCount(vendor_id, account_id, sum))
  },

  async bookings(since: number): Promise<AccountCount[]> {
    const rows = await database.read
      .selectFrom('bookings')
      .select((eb) => ['vendor_id', 'account_id', eb.fn.countAll<number | string>().as('sum')])
      .where('state', 'in', BOOKED)
      .where('created_at', '>=', since)
      .where('simulated', '=', 0)
      .groupBy(['vendor_id', 'account_id'])
      .execute()
    return rows.map(({ vendor_id, account_id, sum }) => accountCount(vendor_id, account_id, sum))
  },
})

const accountCount = (vendorId: string, accountId: string, sum: number | string): AccountCount => ({
  vendorId,
  accountId,
  count: Number(sum),
})

async function addCalls(tx: Tx, rows: readonly Tables['vendor_call_counts'][]): Promise<void> {
  for (const part of chunk(sorted(rows), ROWS_AT_ONCE)) {
    await tx
      .insertInto('vendor_call_counts')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['minutes', 'began_at', 'vendor_id', 'operation', 'outcome', 'up_to_ms'])
          .doUpdateSet((eb) => ({ calls: eb('vendor_call_counts.calls', '+', eb.ref('excluded.calls')) })),
      )
      .execute()
  }
}

async function addSearches(tx: Tx, rows: readonly Tables['vendor_searches'][]): Promise<void> {
  for (const part of chunk(sorted(rows), ROWS_AT_ONCE)) {
    await tx
      .insertInto('vendor_searches')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .columns(['day', 'vendor_id', 'account_id'])
          .doUpdateSet((eb) => ({ searches: eb('vendor_searches.searches', '+', eb.ref('excluded.searches')) })),
      )
      .execute()
  }
}

/** Transactions that lock in one order cannot deadlock. */
const sorted = <T extends object>(rows: readonly T[]): T[] =>
  rows
    .map((row) => ({ row, key: JSON.stringify(Object.values(row)) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row)
