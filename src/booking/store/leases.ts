import { sql } from 'kysely'
import type { Booking, BookingState } from '../../domain/booking/booking.ts'
import type { Keyring } from '../../lib/crypto/keyring.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { BookingRow } from '../../store/tables/bookings.ts'
import { fromRow } from './rows.ts'

type DueClaim = {
  readonly now: number
  readonly leaseMs: number
  readonly mostPerVendor: number
  /** How many of each vendor the caller is looking at already. */
  readonly busy?: ReadonlyMap<string, number>
  /** Bookings (or their cancellations) that were sent before this moment are claimed first. */
  readonly firstSentBefore?: number
}

/** Leases: which process works on a booking, and when one must. */
export function bookingLeases(database: Database, keyring: Keyring) {
  return {
    /**
     * Takes due bookings for `leaseMs`, as many of each vendor as it has places left. Of any number of processes one gets
     * each; when that one dies, the lease runs out and another does.
     */
    async claimDue(wanted: DueClaim): Promise<Booking[]> {
      const claimed: Booking[] = []
      for (const vendorId of await dueVendors(database, wanted.now)) {
        const most = wanted.mostPerVendor - (wanted.busy?.get(vendorId) ?? 0)
        const rows = most <= 0 ? [] : await database.write((tx) => claimOf(tx, vendorId, most, wanted))
        claimed.push(...rows.map((row) => fromRow(row, keyring)))
      }
      return claimed
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

    /**
     * While its guests are being changed at the vendor it is not read: no reading begins before `until`, and one that has begun
     * has lost its lease and is made again. The new guests end it, see `amend`.
     */
    async holdReading(bookingId: string, until: number): Promise<void> {
      const later = sql<number>`case when reading_lease_until >= ${until} then reading_lease_until + 1 else ${until} end`
      await database.write((tx) =>
        tx.updateTable('bookings').set({ reading_lease_until: later }).where('booking_id', '=', bookingId).execute(),
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

async function dueVendors({ read }: Database, now: number): Promise<string[]> {
  const rows = await read
    .selectFrom('bookings')
    .select('vendor_id')
    .distinct()
    .where('due_at', '<=', now)
    .where('lease_until', '<=', now)
    .execute()
  return rows.map((row) => row.vendor_id)
}

async function claimOf(
  tx: Tx,
  vendorId: string,
  most: number,
  { now, leaseMs, firstSentBefore = 0 }: DueClaim,
): Promise<BookingRow[]> {
  const sentAt = sql`case when state = 'cancelling' then updated_at else coalesce(submitted_at, created_at) end`
  const due = await tx
    .selectFrom('bookings')
    .select('booking_id')
    .where('vendor_id', '=', vendorId)
    .where('due_at', '<=', now)
    .where('lease_until', '<=', now)
    .orderBy(sql`${sentAt} <= ${firstSentBefore}`, 'desc')
    .orderBy('due_at')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute()
  if (due.length === 0) return []
  const ids = due.map((row) => row.booking_id)
  return tx
    .updateTable('bookings')
    .set({ lease_until: now + leaseMs, attempts: sql<number>`attempts + 1` })
    .where('booking_id', 'in', ids)
    .returningAll()
    .execute()
}
