-- Events as webhooks deliver them, for 30 days.
create table events (
  -- The `webhook-id` of its deliveries.
  id text primary key,
  booking_id text not null, account_id text not null, type text not null, created_at bigint not null,
  simulated integer not null,
  -- The body that webhooks receive.
  payload text not null);
create index events_by_account on events (account_id, created_at);
create index events_age on events (created_at);
create index events_by_booking on events (booking_id);

-- Responses to requests with an idempotency key, for 24 hours.
create table idempotent_requests (
  -- SHA-256 of account, operation and key, hex.
  key_hash text primary key,
  -- Of path, query and body.
  fingerprint text not null,
  -- Ids of the path, separated by spaces.
  subject text not null,
  created_at bigint not null,
  -- A process works on the request until then; 0 once there is a response.
  lease_until bigint not null,
  -- Status, headers and body as JSON, encrypted: a response may contain a secret or persons.
  answer text);
create index idempotent_requests_age on idempotent_requests (created_at);
create index idempotent_requests_by_subject on idempotent_requests (subject);
