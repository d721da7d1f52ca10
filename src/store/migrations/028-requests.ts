import type { Migration } from '../migration.ts'

/** What was called, by request id: never who the guest is, what was sent, or from which address. */
export const requests: Migration = {
  async up({ schema }) {
    await schema
      .createTable('requests')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('request_id', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('operation', 'text', (c) => c.notNull())
      .addColumn('method', 'text', (c) => c.notNull())
      .addColumn('path', 'text', (c) => c.notNull())
      .addColumn('status', 'integer', (c) => c.notNull())
      .addColumn('code', 'text')
      .addColumn('took_ms', 'integer', (c) => c.notNull())
      .addColumn('account_id', 'text')
      .addColumn('key_id', 'text')
      .addColumn('simulated', 'integer', (c) => c.notNull())
      .addColumn('search_id', 'text')
      .addColumn('booking_id', 'text')
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
    await schema.createIndex('requests_by_request_id').on('requests').columns(['request_id']).execute()
    await schema.createIndex('requests_by_time').on('requests').columns(['at', 'id']).execute()
    await schema.createIndex('requests_by_expiry').on('requests').columns(['expires_at']).execute()
  },
}
