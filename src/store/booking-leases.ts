import { sql } from 'kysely'
import type { Booking, BookingState } from '../domain/booking.ts'
import type { Keyring } from '../lib/keyring.ts'
import { fromRow } from './booking-rows.ts'
import type { Database } from './database.ts'

/** Leases: which process works on a booking, and when one must. */
export function bookingLeases(database: Database, keyring: Keyring) {
  return {
    /**
     * Takes up to `most` due bookings for `leaseMs`. Of any number of processes one gets each; when that one dies,
     * the lease runs out and another does.
     */
    async claimDue(now: number, leaseMs: number, most: number): Promise<Booking[]> {
      return database.write(async (tx) => {
        let due = tx
          .selectFrom('bookings')
          .select('booking_id')
          .where('due_at', '<=', now)
          .where('lease_until', '<=', now)
          .orderBy('due_at')
          .limit(most)
        if (database.dialect === 'postgres') due = due.forUpdate().skipLocked()
        const ids = (await due.execute()).map((row) => row.booking_id)
        if (ids.length === 0) return []
        const rows = await tx
          .updateTable('bookings')
          .set({ lease_until: now + leaseMs, attempts: sql<number>`attempts + 1` })
          .where('booking_id', 'in', ids)
          .returningAll()
          .execute()
        return rows.map((row) => fromRow(row, keyring))
      })
    },

    /** Whether a process is believed to be working on it. */
    async isLeased(bookingId: string, now: number): Promise<boolean> {
      const query = database.read.selectFrom('bookings').select('lease_until').where('booking_id', '=', bookingId)
      return ((await query.executeTakeFirst())?.lease_until ?? 0) > now
    },

    /** Gives a claimed booking back, to be looked at again at `dueAt`. */
    async postpone(bookingId: string, dueAt: number): Promise<void> {
      await database.write((tx) =>
        tx
          .updateTable('bookings')
          .set({ due_at: dueAt, lease_until: 0 })
          .where('booking_id', '=', bookingId)
          .where('due_at', 'is not', null)
          .execute(),
      )
    },

    /** Extends the lease of the process that works on it. */
    async renewLease(bookingId: string, state: BookingState, leaseUntil: number): Promise<void> {
      await database.write((tx) =>
        tx
          .updateTable('bookings')
          .set({ lease_until: leaseUntil })
          .where('booking_id', '=', bookingId)
          .where('state', '=', state)
          .execute(),
      )
    },
  }
}
