-- Card payments. A booking on account has none.
create table payments (
  payment_id text primary key, account_id text not null, provider text not null,
  -- Null until the provider has answered.
  provider_reference text unique,
  state text not null,
  -- When it entered the state.
  state_since bigint not null,
  booking_id text unique,
  offer_id text not null,
  -- The room of the search that the offer belongs to.
  lineage text not null,
  terms_digest text not null,
  -- Text for the provider's console.
  description text not null,
  currency text not null,
  -- Amount to authorise.
  amount_minor bigint not null,
  authorised_minor bigint not null, captured_minor bigint not null,
  -- Without the amounts that came back.
  refunded_minor bigint not null,
  -- Accepted by the provider, but not done.
  refund_pending_minor bigint not null,
  -- Due from the guest; null while the outcome of the booking is unknown.
  owed_minor bigint,
  -- Given back by operators beyond the terms.
  goodwill_minor bigint not null,
  disputed_minor bigint not null,
  -- 1 while a booking that was confirmed is in review.
  frozen integer not null,
  -- 1 while the provider's fraud check waits for a person.
  in_review integer not null,
  is_live integer not null,
  -- When the authorisation ends at the provider.
  capture_before bigint,
  -- When an authorisation without a booking is released.
  expires_at bigint not null,
  brand text, last4 text,
  -- Last failed attempt of the guest as JSON: code and message.
  failure text,
  -- Why an operator should look at it.
  reason text,
  -- What the provider kept; null until it is known.
  fee_minor bigint, fee_currency text,
  -- SHA-256 of the client's key; null if it sent none.
  idempotency_key text,
  fingerprint text not null,
  -- Grows with every change of the payment or its operations.
  revision bigint not null,
  looked_at bigint not null, created_at bigint not null, updated_at bigint not null,
  constraint payments_key unique (account_id, idempotency_key));
create unique index payments_by_offer on payments (account_id, offer_id) where state in ('creating', 'open', 'authorised');
create index payments_by_state on payments (state, state_since);
create index payments_by_lineage on payments (lineage);
create index payments_with_reason on payments (updated_at) where reason is not null;
create index payments_by_creation on payments (created_at);

-- Requests to the provider. A request is on disk as `sent` before it leaves.
create table payment_operations (
  payment_id text not null, number integer not null, kind text not null, amount_minor bigint not null,
  -- The provider's idempotency key.
  key text not null unique,
  state text not null, first_sent_at bigint, last_sent_at bigint, attempts integer not null,
  -- Fault of the last attempt.
  error text,
  constraint payment_operations_pk primary key (payment_id, number));
create unique index payment_operations_open on payment_operations (payment_id) where state in ('planned', 'sent');
create unique index payment_operations_capture on payment_operations (payment_id)
  where kind = 'capture' and state in ('planned', 'sent', 'done');

-- Rows are only added. Their sums equal the amounts of the payment.
create table payment_entries (
  payment_id text not null, sequence integer not null, kind text not null, amount_minor bigint not null,
  operation integer, at bigint not null,
  constraint payment_entries_pk primary key (payment_id, sequence));
create index payment_entries_by_time on payment_entries (at);

-- Notifications of the last weeks, for support only.
create table payment_events_seen (
  provider text not null, event_id text not null, type text not null, object_id text not null,
  received_at bigint not null, constraint payment_events_seen_pk primary key (provider, event_id));
create index payment_events_seen_age on payment_events_seen (received_at);

alter table accounts add column
  -- card or account; null: on account.
  payment text;
