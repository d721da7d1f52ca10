import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Who caused each event; when confirmed bookings are read again at their vendors, and what was found. */
export const bookingWatch: Migration = {
  async up({ schema }) {
    for (const column of ['actor_kind', 'actor_id', 'request_id'])
      await schema.alterTable('booking_events').addColumn(column, 'text').execute()
    for (const column of ['confirmed_at', 'reading_due_at', 'reading_lease_until', 'absent_since', 'clock_offset_ms'])
      await schema.alterTable('bookings').addColumn(column, 'bigint').execute()
    for (const column of ['readings', 'reading_failures'])
      await schema.alterTable('bookings').addColumn(column, 'integer').execute()
    for (const column of ['rooms', 'vendor_total'])
      await schema.alterTable('bookings').addColumn(column, 'text').execute()
    await schema
      .createTable('booking_readings')
      .addColumn('booking_id', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('said', 'text')
      .addPrimaryKeyConstraint('booking_readings_pk', ['booking_id', 'at'])
      .execute()
    await schema
      .createTable('vendor_turns')
      .addColumn('vendor_id', 'text', (c) => c.primaryKey())
      .addColumn('next_reading_at', 'bigint', (c) => c.notNull())
      .addColumn('list_due_at', 'bigint', (c) => c.notNull())
      .execute()
    await schema
      .createIndex('bookings_to_read')
      .on('bookings')
      .columns(['reading_due_at'])
      .where(sql`reading_due_at`, 'is not', null)
      .execute()
    await schema
      .createIndex('bookings_unplanned')
      .on('bookings')
      .columns(['state'])
      .where(sql`confirmed_at`, 'is', null)
      .execute()
  },
}
