import type { Migration } from '../migration.ts'

/** Every attempt to deliver a webhook with its answer, deliveries that are sent again, and bookings by their last change. */
export const webhookLog: Migration = {
  async up({ schema }) {
    await schema
      .createTable('webhook_attempts')
      .addColumn('webhook_id', 'text', (c) => c.notNull())
      .addColumn('booking_id', 'text', (c) => c.notNull())
      .addColumn('sequence', 'integer', (c) => c.notNull())
      .addColumn('attempt', 'integer', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('took_ms', 'integer', (c) => c.notNull())
      .addColumn('status', 'integer')
      .addColumn('error', 'text')
      .addColumn('answer', 'text')
      .addPrimaryKeyConstraint('webhook_attempts_pk', ['webhook_id', 'booking_id', 'sequence', 'attempt'])
      .execute()
    await schema.alterTable('webhook_deliveries').addColumn('replayed_at', 'bigint').execute()
    await schema.alterTable('webhook_deliveries').addColumn('attempts_before', 'integer').execute()
    await schema
      .createIndex('bookings_by_change')
      .on('bookings')
      .columns(['account_id', 'updated_at', 'booking_id'])
      .execute()
  },
}
