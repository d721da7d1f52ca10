import type { Migration } from '../migration.ts'

/** How vendors answer: calls by time, operation and outcome, how breakers stand in each process, and who searched how often. */
export const vendorHealth: Migration = {
  async up({ schema }) {
    await schema
      .createTable('vendor_call_counts')
      .addColumn('minutes', 'integer', (c) => c.notNull())
      .addColumn('began_at', 'bigint', (c) => c.notNull())
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('operation', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('up_to_ms', 'integer', (c) => c.notNull())
      .addColumn('calls', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('vendor_call_counts_pk', [
        'minutes',
        'began_at',
        'vendor_id',
        'operation',
        'outcome',
        'up_to_ms',
      ])
      .execute()
    await schema
      .createTable('vendor_breakers')
      .addColumn('process', 'text', (c) => c.notNull())
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('call_class', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('since', 'bigint', (c) => c.notNull())
      .addColumn('under_way', 'integer', (c) => c.notNull())
      .addColumn('held_until', 'bigint')
      .addColumn('seen_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('vendor_breakers_pk', ['process', 'vendor_id', 'call_class'])
      .execute()
    await schema
      .createTable('vendor_searches')
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('searches', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('vendor_searches_pk', ['day', 'vendor_id', 'account_id'])
      .execute()
  },
}
