import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migration.ts'
import type { Tables } from '../tables.ts'

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
  `insert into tasks select 'settle', booking_id, vendor_id, case when lease_until > due_at then lease_until else due_at end,
    0, attempts, attempts, case when state = 'cancelling' then updated_at else coalesce(submitted_at, created_at) end, null
    from bookings where due_at is not null and state in ('submitting', 'in_doubt', 'cancelling')`,
  `insert into tasks select 'read', booking_id, case when simulated = 1 then 'test ' || vendor_id else vendor_id end,
    case when reading_lease_until > reading_due_at then reading_lease_until else reading_due_at end,
    0, 0, coalesce(reading_failures, 0), reading_due_at, cast(absent_since as text)
    from bookings where reading_due_at is not null and state in ('confirmed', 'needs_review')`,
  // Early versions planned no readings of what they had confirmed; the first one plans the others.
  `insert into tasks select 'read', booking_id, case when simulated = 1 then 'test ' || vendor_id else vendor_id end,
    updated_at, 0, 0, 0, updated_at, null from bookings
    where state = 'confirmed' and confirmed_at is null and reading_due_at is null and persons_erased_at is null`,
  "update bookings set confirmed_at = updated_at where state = 'confirmed' and confirmed_at is null",
  `insert into tasks select 'list', vendor_id, vendor_id, list_due_at, 0, 0, 0, list_due_at, null
    from vendor_turns where list_due_at > 0`,
  `insert into tasks select 'content', vendor_id, vendor_id, coalesce(retry_at, 0), 0, 0, case when retry_at is null then 0 else 1 end,
    coalesce(retry_at, 0), null from content_jobs`,
  "insert into tasks select 'match', 'all', '', 0, 0, 0, 0, 0, null from match_progress where finished_at is null",
  `insert into tasks select 'mail', case when sequence < 0 then 'operator ' || booking_id else booking_id end as subject,
    '', min(due_at), 0, 0, 0, min(created_at), null
    from mails where outcome is null and due_at is not null group by subject`,
  `insert into tasks select 'webhook', delivery.webhook_id || ' ' || delivery.booking_id as subject,
    webhooks.account_id || ' ' || webhooks.id as key, min(delivery.due_at), 0, 0, 0, min(delivery.created_at), null
    from webhook_deliveries as delivery join webhooks on webhooks.id = delivery.webhook_id
    where delivery.due_at is not null group by subject, key`,
]

const DROP_INDEXES = [
  'mails_due',
  'webhook_deliveries_due',
  'bookings_due',
  'bookings_to_read',
  'bookings_reading_failed',
  'bookings_unplanned',
].map((name) => `drop index ${name}`)

const SCHEDULE = ['due_at', 'lease_until']
const READINGS = ['reading_due_at', 'reading_lease_until', 'readings', 'reading_failures', 'absent_since']
const DROPPED = {
  mails: SCHEDULE,
  webhook_deliveries: SCHEDULE,
  bookings: [...SCHEDULE, 'attempts', ...READINGS],
  vendor_turns: ['list_due_at'],
  content_jobs: ['owner', 'lease_until'],
  match_progress: ['owner', 'lease_until'],
}

async function dropColumns({ schema }: Kysely<Tables>, table: string, columns: readonly string[]): Promise<void> {
  for (const column of columns) await schema.alterTable(table).dropColumn(column).execute()
}
