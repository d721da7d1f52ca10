import type { Migration } from '../migration.ts'

/** Sessions of the page, by the hash of what the cookie holds, and the guests whose searches and offers an account took over. */
export const pageSessions: Migration = {
  async up({ schema }) {
    await schema
      .createTable('page_sessions')
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('owner_id', 'text', (c) => c.notNull())
      .addColumn('is_guest', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
    await schema.createIndex('page_sessions_by_owner').on('page_sessions').column('owner_id').execute()
    await schema.createIndex('page_sessions_by_expiry').on('page_sessions').column('expires_at').execute()
    await schema
      .createTable('guest_takeovers')
      .addColumn('guest_id', 'text', (c) => c.primaryKey())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('taken_at', 'bigint', (c) => c.notNull())
      .execute()
    await schema.createIndex('guest_takeovers_by_time').on('guest_takeovers').column('taken_at').execute()
  },
}
