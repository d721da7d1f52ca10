import type { Migration } from '../migration.ts'

/** Which rules of matching the links were judged by, how far judging them again has come, and second entries of vendors. */
export const matchRules: Migration = {
  async up({ schema }) {
    await schema
      .createTable('match_progress')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('rules', 'integer', (c) => c.notNull())
      .addColumn('after_cell', 'bigint', (c) => c.notNull())
      .addColumn('joined', 'bigint', (c) => c.notNull())
      .addColumn('split', 'bigint', (c) => c.notNull())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('lease_until', 'bigint', (c) => c.notNull())
      .addColumn('finished_at', 'bigint')
      .execute()
    await schema
      .createTable('property_twins')
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('vendor_property_id', 'text', (c) => c.notNull())
      .addColumn('property_id', 'text', (c) => c.notNull())
      .addColumn('found_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('property_twins_pk', ['vendor_id', 'vendor_property_id'])
      .execute()
  },
}
