import type { Migration } from '../migration.ts'

export const webhooks: Migration = {
  name: '005-webhooks',
  async up(schema) {
    await schema
      .createTable('webhooks')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('account_id', 'text', (c) => c.notNull())
      .addColumn('events', 'text', (c) => c.notNull())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('disabled_at', 'bigint')
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('paused_until', 'bigint', (c) => c.notNull())
      .execute()
    await schema.createIndex('webhooks_by_account').on('webhooks').columns(['account_id', 'created_at']).execute()
    // No foreign key to webhooks: one that is deleted while a booking moves must not fail the booking.
    await schema
      .createTable('webhook_deliveries')
      .addColumn('webhook_id', 'text', (c) => c.notNull())
      .addColumn('booking_id', 'text', (c) => c.notNull())
      .addColumn('sequence', 'integer', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('lease_until', 'bigint', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('outcome', 'text')
      .addPrimaryKeyConstraint('webhook_deliveries_pk', ['webhook_id', 'booking_id', 'sequence'])
      .execute()
    await schema
      .createIndex('webhook_deliveries_due')
      .on('webhook_deliveries')
      .columns(['due_at', 'lease_until'])
      .execute()
    await schema.createIndex('webhook_deliveries_age').on('webhook_deliveries').column('created_at').execute()
  },
}
