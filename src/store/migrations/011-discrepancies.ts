import type { Migration } from '../migration.ts'

/** Differences between bookings and what vendors say of them, and events that change no state. */
export const discrepancies: Migration = {
  async up({ schema }) {
    await schema.alterTable('bookings').addColumn('discrepancies', 'text').execute()
    await schema.alterTable('booking_events').addColumn('kind', 'text').execute()
  },
}
