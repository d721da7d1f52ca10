import { statements } from '../migration.ts'

export const bookings = statements(
  () => `
    create table bookings (
      booking_id text primary key, account_id text not null, state text not null,
      vendor_id text not null, reference text not null unique, vendor_reference text,
      client_reference text, offer_id text not null unique, idempotency_key text not null,
      fingerprint text not null, check_in text not null, check_out text not null,
      total_minor bigint not null, currency text not null, property_name text not null,
      simulated integer not null, details text not null, persons text not null,
      answer_status integer, answer_body text, cancel_fee_minor bigint,
      created_at bigint not null, updated_at bigint not null, submitted_at bigint, due_at bigint,
      lease_until bigint not null, attempts integer not null, events integer not null,
      constraint bookings_key unique (account_id, idempotency_key));
    create index bookings_by_account on bookings (account_id, created_at, booking_id);
    create index bookings_by_state on bookings (state, created_at);
    create index bookings_due on bookings (due_at, lease_until);
    create table booking_events (
      booking_id text not null references bookings (booking_id), sequence integer not null,
      from_state text, to_state text not null, at bigint not null, reason text,
      constraint booking_events_pk primary key (booking_id, sequence))`,
)
