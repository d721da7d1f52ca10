import type { Migration } from '../migration.ts'

/** Mails to guests, written with the change that they tell of. */
export const mails: Migration = {
  async up({ schema }) {
    await schema
      .createTable('mails')
      .addColumn('booking_id', 'text', (c) => c.notNull())
      .addColumn('sequence', 'integer', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('content', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('lease_until', 'bigint', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('outcome', 'text')
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('mails_pk', ['booking_id', 'sequence'])
      .execute()
    await schema.createIndex('mails_due').on('mails').column('due_at').execute()
    await schema.createIndex('mails_by_age').on('mails').column('created_at').execute()
  },
}
