import { type SchemaModule, sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Roles of accounts, one-time codes, API keys with what they have spent, the audit log, and when persons were erased. */
export const rolesAndKeys: Migration = {
  async up({ schema }) {
    await schema
      .alterTable('accounts')
      .addColumn('role', 'text', (c) => c.notNull().defaultTo('client'))
      .execute()
    await schema.alterTable('accounts').addColumn('totp_secret', 'text').execute()
    await schema.alterTable('accounts').addColumn('totp_step', 'bigint').execute()
    await addKeys(schema)
    await addAuditLog(schema)
    await schema.alterTable('bookings').addColumn('persons_erased_at', 'bigint').execute()
    await schema
      .createIndex('bookings_with_persons')
      .on('bookings')
      .columns(['check_out'])
      .where(sql`persons_erased_at`, 'is', null)
      .execute()
  },
}

async function addKeys(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('api_keys')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('hint', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('mode', 'text', (c) => c.notNull())
    .addColumn('scopes', 'text', (c) => c.notNull())
    .addColumn('per_minute', 'integer')
    .addColumn('budget_minor', 'bigint')
    .addColumn('budget_currency', 'text')
    .addColumn('budget_per', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await schema.createIndex('api_keys_by_account').on('api_keys').columns(['account_id']).execute()
  await schema
    .createTable('key_spending')
    .addColumn('booking_id', 'text', (c) => c.primaryKey())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('currency', 'text', (c) => c.notNull())
    .addColumn('spent_minor', 'bigint', (c) => c.notNull())
    .addColumn('kept_minor', 'bigint', (c) => c.notNull())
    .execute()
  await schema.createIndex('key_spending_by_day').on('key_spending').columns(['key_id', 'day']).execute()
}

async function addAuditLog(schema: SchemaModule): Promise<void> {
  await schema
    .createTable('audit_log')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor_kind', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('request_id', 'text')
    .addColumn('outcome', 'text')
    .execute()
  await schema.createIndex('audit_log_by_time').on('audit_log').columns(['at', 'id']).execute()
}
