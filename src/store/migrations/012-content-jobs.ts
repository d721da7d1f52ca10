import type { Migration } from '../migration.ts'

/** Content that is kept fresh by the service itself: how far each vendor has come, what was dropped, what lacks its rooms. */
export const contentJobs: Migration = {
  async up({ schema }) {
    await schema
      .createTable('content_jobs')
      .addColumn('vendor_id', 'text', (c) => c.primaryKey())
      .addColumn('owner', 'text', (c) => c.notNull())
      .addColumn('lease_until', 'bigint', (c) => c.notNull())
      .addColumn('requests_day', 'text', (c) => c.notNull())
      .addColumn('requests', 'bigint', (c) => c.notNull())
      .addColumn('full_at', 'bigint')
      .addColumn('fresh_at', 'bigint')
      .addColumn('next_area', 'bigint', (c) => c.notNull())
      .addColumn('dropped', 'bigint', (c) => c.notNull())
      .addColumn('retry_at', 'bigint')
      .addColumn('failure', 'text')
      .execute()
    await schema.alterTable('vendor_properties').addColumn('dropped_at', 'bigint').execute()
    await schema.alterTable('vendor_properties').addColumn('rooms_unread', 'integer').execute()
    await schema
      .createIndex('vendor_properties_unread')
      .on('vendor_properties')
      .columns(['vendor_id', 'rooms_unread', 'dropped_at'])
      .execute()
  },
}
