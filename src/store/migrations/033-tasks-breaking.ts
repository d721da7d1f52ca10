import { statements } from '../migration.ts'

/** One queue for all background work. */
export const tasks = statements(
  () => `
    create table tasks (
      kind text not null, subject text not null, key text not null, due_at bigint not null,
      lease_until bigint not null, attempts integer not null, failures integer not null,
      since bigint not null, payload text, constraint tasks_pk primary key (kind, subject));
    create index tasks_due on tasks (kind, due_at)`,
)
