import { sql } from 'kysely'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Database } from '../../store/database.ts'
import { bookingsSince } from './statement-bookings.ts'

export type DayCount = { readonly day: string; readonly vendorId: string; readonly count: number }
export type DayCalls = DayCount & { readonly outcome: string }

export type NumbersStore = ReturnType<typeof createNumbersStore>

/** Counts by day and vendor since the start of a day (UTC), for the start page of the console. */
export function createNumbersStore(database: Database) {
  const db = database.read
  return {
    bookings: (sinceDay: string, now: number) => bookingsSince(database, sinceDay, now + 1),

    async searches(sinceDay: string): Promise<DayCount[]> {
      const rows = await db
        .selectFrom('vendor_searches')
        .select((eb) => ['day', 'vendor_id', eb.fn.sum<number | string>('searches').as('count')])
        .where('day', '>=', sinceDay)
        .groupBy(['day', 'vendor_id'])
        .execute()
      return rows.map(({ day, vendor_id, count }) => ({ day, vendorId: vendor_id, count: Number(count) }))
    },

    async calls(sinceDay: string): Promise<DayCalls[]> {
      const day = sql<number | string>`began_at / ${sql.lit(DAY_MS)}`
      const rows = await db
        .selectFrom('vendor_call_counts')
        .select((eb) => [day.as('day'), 'vendor_id', 'outcome', eb.fn.sum<number | string>('calls').as('count')])
        .where('minutes', '=', 60)
        .where('began_at', '>=', Date.parse(sinceDay))
        .groupBy([day, 'vendor_id', 'outcome'])
        .execute()
      return rows.map((row) => ({ ...toDayCount(row), outcome: row.outcome }))
    },

    /** Bookings that were made since then and have been in doubt or under review. */
    async doubts(sinceDay: string): Promise<DayCount[]> {
      const day = sql<number | string>`bookings.created_at / ${sql.lit(DAY_MS)}`
      const rows = await db
        .selectFrom('bookings')
        .select((eb) => [day.as('day'), 'vendor_id', eb.fn.countAll<number | string>().as('count')])
        .where('created_at', '>=', Date.parse(sinceDay))
        .where('simulated', '=', 0)
        .where((where) =>
          where.exists(
            where
              .selectFrom('booking_events')
              .select('sequence')
              .whereRef('booking_events.booking_id', '=', 'bookings.booking_id')
              .where('to_state', 'in', ['in_doubt', 'needs_review']),
          ),
        )
        .groupBy([day, 'vendor_id'])
        .execute()
      return rows.map(toDayCount)
    },
  }
}

type Row = { readonly day: number | string; readonly vendor_id: string; readonly count: number | string }
const toDayCount = ({ day, vendor_id, count }: Row): DayCount => ({
  day: new Date(Number(day) * DAY_MS).toISOString().slice(0, 10),
  vendorId: vendor_id,
  count: Number(count),
})
