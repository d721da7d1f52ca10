import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Indexes for the counts of every metrics scrape. Both are small: usual bookings are in neither. */
export const bookingFigures: Migration = {
  async up({ schema }) {
    await schema
      .createIndex('bookings_simulated')
      .on('bookings')
      .columns(['state'])
      .where(sql`simulated`, '=', sql.lit(1))
      .execute()
    await schema
      .createIndex('bookings_reading_failed')
      .on('bookings')
      .columns(['reading_due_at'])
      .where(sql`reading_failures`, '>', sql.lit(0))
      .execute()
  },
}
