import type { Migration } from '../migration.ts'

/** What the short ids that agents are given stand for: offers, and bookings that were prepared. */
export const mcp: Migration = {
  async up({ schema }) {
    await schema
      .createTable('mcp_handles')
      .addColumn('handle', 'text', (c) => c.primaryKey())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
    await schema.createIndex('mcp_handles_by_expiry').on('mcp_handles').column('expires_at').execute()
  },
}
