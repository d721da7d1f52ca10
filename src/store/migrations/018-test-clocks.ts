import type { Migration } from '../migration.ts'

/** By how much accounts have moved the time of their simulated bookings. */
export const testClocks: Migration = {
  async up({ schema }) {
    await schema
      .createTable('test_clocks')
      .addColumn('account_id', 'text', (c) => c.primaryKey())
      .addColumn('offset_ms', 'bigint', (c) => c.notNull())
      .execute()
  },
}
