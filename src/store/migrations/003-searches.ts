import type { Migration } from '../migration.ts'

export const searches: Migration = {
  name: '003-searches',
  async up(schema, { blob }) {
    await schema
      .createTable('searches')
      .addColumn('search_id', 'text', (c) => c.primaryKey())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('simulated', 'integer', (c) => c.notNull())
      .addColumn('destination', 'text', (c) => c.notNull())
      .addColumn('check_in', 'text', (c) => c.notNull())
      .addColumn('check_out', 'text', (c) => c.notNull())
      .addColumn('found', 'integer', (c) => c.notNull())
      .addColumn('head', 'text', (c) => c.notNull())
      .addColumn('results', blob, (c) => c.notNull())
      .execute()
    await schema
      .createIndex('searches_by_account')
      .on('searches')
      .columns(['account_id', 'created_at', 'search_id'])
      .execute()
    await schema.createIndex('searches_by_expiry').on('searches').column('expires_at').execute()
  },
}
