import type { Insertable } from 'kysely'
import type { Clock } from '../../src/lib/time/clock.ts'
import type { Database } from '../../src/store/database.ts'
import { createHistoryReader } from '../../src/store/history.ts'
import type { Tables } from '../../src/store/tables.ts'

/** Tables of a booking, in the order in which rows can be inserted. */
const TABLES = [
  ...(['bookings', 'booking_events', 'booking_readings', 'vendor_turns', 'tasks'] as const),
  ...(['payments', 'payment_operations', 'payment_entries'] as const),
] as const

type State = readonly { readonly table: (typeof TABLES)[number]; readonly rows: readonly object[] }[]

/** Loses commits, as a failover to a lagging standby and a restored backup do. */
export function createLosses(database: Database, clock: Clock) {
  const states: State[] = []
  const history = createHistoryReader(database, clock)
  return {
    /** Removes all bookings, and the memory of earlier losses. */
    async reset(): Promise<void> {
      await database.write(async (tx) => {
        for (const table of TABLES.toReversed()) await tx.deleteFrom(table).execute()
        const none = { generation: 0, changed_at: null, data_until: null, reconciled_at: null }
        await tx.updateTable('store_history').set(none).execute()
      })
    },
    /** Keeps the current state, to return to it later. */
    async keep(): Promise<void> {
      const read = async (table: (typeof TABLES)[number]) => {
        return { table, rows: await database.read.selectFrom(table).selectAll().execute() }
      }
      states.push(await Promise.all(TABLES.map(read)))
    },
    /** Returns to the state before one of the last steps; returns the number of bookings that are lost. */
    async lose(steps: number): Promise<number> {
      const before = states.at(-steps) ?? states[0] ?? []
      const count = async () => (await database.read.selectFrom('bookings').select('booking_id').execute()).length
      const bookings = await count()
      await history.markBehind()
      await database.write(async (tx) => {
        for (const table of TABLES.toReversed()) await tx.deleteFrom(table).execute()
        for (const { table, rows } of before)
          for (const row of rows)
            await tx
              .insertInto(table)
              .values(row as Insertable<Tables[typeof table]>)
              .execute()
      })
      return bookings - (await count())
    },
  }
}
