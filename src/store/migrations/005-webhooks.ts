import { statements } from '../migration.ts'

export const webhooks = statements(
  () => `
    create table webhooks (
      id text primary key, account_id text not null, events text not null, target text not null,
      created_at bigint not null, disabled_at bigint, failures integer not null,
      paused_until bigint not null);
    create index webhooks_by_account on webhooks (account_id, created_at);
    -- No foreign key to webhooks: one that is deleted while a booking moves must not fail the booking.
    create table webhook_deliveries (
      webhook_id text not null, booking_id text not null, sequence integer not null,
      payload text not null, created_at bigint not null, due_at bigint,
      lease_until bigint not null, attempts integer not null, outcome text,
      constraint webhook_deliveries_pk primary key (webhook_id, booking_id, sequence));
    create index webhook_deliveries_due on webhook_deliveries (due_at, lease_until);
    create index webhook_deliveries_age on webhook_deliveries (created_at)`,
)
