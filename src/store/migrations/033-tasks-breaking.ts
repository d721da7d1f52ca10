import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migration.ts'
import type { Tables } from '../tables/tables.ts'

/** One queue for all background work. Carries over what is open, then removes the columns that scheduled it before. */
export const tasks: Migration = {
  async up(db) {
    for (const statement of [...CREATE, ...CARRY_OVER, ...DROP_INDEXES]) await sql.raw(statement).execute(db)
    for (const [table, columns] of Object.entries(DROPPED)) await dropColumns(db, table, columns)
  },
}

const CREATE = [
  `create table tasks (
    kind text not null, subject text not null, key text not null, due_at bigint not null,
    lease_until bigint not null, attempts integer not null, failures integer not null,
    since bigint not null, payload text, constraint tasks_pk primary key (kind, subject))`,
  'create index tasks_due on tasks (kind, due_at)',
]

/** Nothing runs meanwhile, so that a lease is only a reason to wait. */
const CARRY_OVER = [
  `insert into tasks select 'mail', case when sequence < 0 then 'operator ' || booking_id else booking_id end as subject,
    '', min(due_at), 0, 0, 0, min(created_at), null
    from mails where outcome is null and due_at is not null group by subject`,
  `insert into tasks select 'webhook', delivery.webhook_id || ' ' || delivery.booking_id as subject,
    webhooks.account_id || ' ' || webhooks.id as key, min(delivery.due_at), 0, 0, 0, min(delivery.created_at), null
    from webhook_deliveries as delivery join webhooks on webhooks.id = delivery.webhook_id
    where delivery.due_at is not null group by subject, key`,
]

const DROP_INDEXES = ['drop index mails_due', 'drop index webhook_deliveries_due']

const DROPPED = { mails: ['due_at', 'lease_until'], webhook_deliveries: ['due_at', 'lease_until'] }

async function dropColumns({ schema }: Kysely<Tables>, table: string, columns: readonly string[]): Promise<void> {
  for (const column of columns) await schema.alterTable(table).dropColumn(column).execute()
}
