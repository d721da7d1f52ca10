import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Bookings that an early version left in the state `pending` become `submitting`, and are settled like any other whose
 * process died: the vendor is asked by our reference. Since then every booking is created as `submitting`.
 */
export const pendingBookings: Migration = {
  async up(db) {
    await sql`insert into booking_events (booking_id, sequence, from_state, to_state, at, reason)
      select booking_id, events + 1, 'pending', 'submitting', updated_at, 'recovered'
      from bookings where state = 'pending'`.execute(db)
    await sql`update bookings set state = 'submitting', events = events + 1,
      submitted_at = coalesce(submitted_at, created_at), due_at = coalesce(due_at, updated_at), lease_until = 0
      where state = 'pending'`.execute(db)
  },
}
