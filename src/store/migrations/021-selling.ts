import type { Migration } from '../migration.ts'

/** Rules of selling prices in versions, who may see net prices, and the client's side of a cancellation fee. */
export const selling: Migration = {
  async up({ schema }) {
    await schema
      .createTable('selling_rules')
      .addColumn('version', 'integer', (c) => c.primaryKey())
      .addColumn('rules', 'text', (c) => c.notNull())
      .addColumn('changed_at', 'bigint', (c) => c.notNull())
      .addColumn('actor_kind', 'text', (c) => c.notNull())
      .addColumn('actor_id', 'text', (c) => c.notNull())
      .execute()
    await schema.alterTable('accounts').addColumn('see_net', 'integer').execute()
    await schema.alterTable('bookings').addColumn('sold_fee_minor', 'bigint').execute()
    // For statements by month.
    await schema.createIndex('bookings_by_creation').on('bookings').columns(['created_at']).execute()
    await schema.createIndex('bookings_by_check_out').on('bookings').columns(['check_out']).execute()
  },
}
