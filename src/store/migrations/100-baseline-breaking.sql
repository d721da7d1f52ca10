-- The schema of version 0.2. Comments name what a column holds if its name does not.
-- Times are epoch milliseconds, flags 0 or 1. The type blob is bytea on PostgreSQL.

create table accounts (
  id text primary key, email text not null,
  -- Lower-cased, for sign-in and uniqueness.
  email_key text not null unique,
  name text not null, password_hash text not null, created_at bigint not null, disabled_at bigint,
  role text not null default 'client',
  -- Seed of the one-time codes, encrypted; null if the account does not use them.
  totp_secret text,
  -- Time step of the last code used: each code is accepted once.
  totp_step bigint,
  -- 1 if the account may see net prices.
  see_net integer,
  -- Null if unknown.
  last_signed_in_at bigint);

create table tokens (
  -- SHA-256 of the token, hex. The token itself is not stored.
  hash text primary key,
  account_id text not null references accounts (id), created_at bigint not null, expires_at bigint not null,
  revoked_at bigint);
create index tokens_by_account on tokens (account_id);
create index tokens_by_expiry on tokens (expires_at);

-- One property of one vendor: columns for matching, and its whole content.
create table vendor_properties (
  vendor_id text not null, vendor_property_id text not null, property_id text not null,
  -- Cell of the matching grid.
  cell bigint not null,
  lat double precision not null, lon double precision not null, name text not null, chain text not null,
  category text not null, star_rating double precision not null, phone text not null, address text not null,
  city text not null, postal_code text not null, country_code text not null, content_hash text not null,
  synced_at bigint not null,
  -- VendorProperty as JSON, compressed with zstd.
  content blob not null,
  -- When the vendor stopped selling it.
  dropped_at bigint,
  -- ROOMS_UNREAD while only the content for result lists has been read; READ_AGAIN if all of it is to be read again.
  rooms_unread integer,
  constraint vendor_properties_pk primary key (vendor_id, vendor_property_id));
create index vendor_properties_by_cell on vendor_properties (cell);
create index vendor_properties_by_property on vendor_properties (property_id);
create index vendor_properties_unread on vendor_properties (vendor_id, rooms_unread, dropped_at);

-- A property with our own id.
create table properties (
  property_id text primary key,
  -- Grows with every change, in the order of commits; readers continue after the last one they have seen.
  seq bigint not null,
  lat double precision not null, lon double precision not null,
  -- `[[vendor_id, vendor_property_id], …]`; `[]` once the property is retired.
  vendors text not null,
  -- Property that this one was merged into.
  merged_into text);
create unique index properties_by_seq on properties (seq);

-- Reason why a vendor property was matched to a property of another vendor.
create table property_links (
  vendor_id text not null, vendor_property_id text not null, property_id text not null,
  score double precision not null, decided_by text not null, evidence text not null,
  decided_at bigint not null, constraint property_links_pk primary key (vendor_id, vendor_property_id));
create index property_links_by_score on property_links (score);
create index property_links_by_property on property_links (property_id);

-- Operators' decisions on two vendor properties (`vendor_id:vendor_property_id`, a < b).
create table property_pins (
  a text not null, b text not null, kind text not null, decided_at bigint not null, decided_by text,
  reason text, constraint property_pins_pk primary key (a, b));
create index property_pins_by_b on property_pins (b);

-- Areas whose content has been read from a vendor.
create table content_areas (
  vendor_id text not null, area_key text not null, synced_at bigint not null,
  -- Radius that was read, if the vendor has more properties than are read of one area; null: the whole area.
  reach_km double precision,
  constraint content_areas_pk primary key (vendor_id, area_key));

-- Progress of a sync; `since` is empty for the full feed.
create table content_feeds (
  vendor_id text not null, since text not null, cursor text, properties bigint not null,
  dropped bigint not null, total bigint, started_at bigint not null, updated_at bigint not null,
  finished_at bigint, constraint content_feeds_pk primary key (vendor_id, since));

create table catalogue_state (id integer primary key, seq bigint not null);

create table searches (
  search_id text primary key, account_id text not null, created_at bigint not null, expires_at bigint not null,
  simulated integer not null, destination text not null, check_in text not null, check_out text not null,
  found integer not null,
  -- SavedSearch as JSON; the other columns are for lists.
  head text not null,
  -- Compressed; see search/saved-results.ts.
  results blob not null);
create index searches_by_account on searches (account_id, created_at, search_id);
create index searches_by_expiry on searches (expires_at);

create table bookings (
  booking_id text primary key, account_id text not null, state text not null, vendor_id text not null,
  reference text not null unique, vendor_reference text, client_reference text,
  -- Unique: one offer is never booked twice.
  offer_id text not null unique,
  -- SHA-256 of the client's key, or of the offer's id if it sent none.
  idempotency_key text not null,
  -- SHA-256 of the canonical request.
  fingerprint text not null,
  check_in text not null, check_out text not null,
  -- Price for the client.
  total_minor bigint not null,
  currency text not null, property_name text not null, simulated integer not null,
  -- The booked offer as JSON, without personal data.
  details text not null,
  -- Guests and contact, encrypted.
  persons text not null,
  -- First response; its body is encrypted and replayed byte for byte.
  answer_status integer,
  answer_body text,
  -- Vendor's cancellation fee, in the currency of the net price.
  cancel_fee_minor bigint,
  created_at bigint not null, updated_at bigint not null, submitted_at bigint, events integer not null,
  -- Differences between the booking and what the vendor reports, as JSON; null if there are none.
  discrepancies text,
  -- Confirmation numbers of vendor and property, as JSON; null until the first one is known.
  confirmation text,
  -- Notices that came with the vendor's confirmation, as JSON.
  told_notices text,
  -- Time of the first confirmation.
  confirmed_at bigint,
  -- Offset of the test clock; only for simulated bookings.
  clock_offset_ms bigint,
  -- Status of each room, separated by spaces; null if all have the same.
  rooms text,
  -- First total that the vendor reported in another currency: minor units and currency.
  vendor_total text,
  -- When `persons` was erased.
  persons_erased_at bigint,
  -- Client's cancellation fee, if the booking was not sold at its net price.
  sold_fee_minor bigint,
  constraint bookings_key unique (account_id, idempotency_key));
create index bookings_by_account on bookings (account_id, created_at, booking_id);
create index bookings_by_state on bookings (state, created_at);
create index bookings_by_change on bookings (account_id, updated_at, booking_id);
create index bookings_with_persons on bookings (check_out) where persons_erased_at is null;
create index bookings_by_creation on bookings (created_at);
create index bookings_by_check_out on bookings (check_out);
create index bookings_simulated on bookings (state) where simulated = 1;

create table booking_events (
  booking_id text not null references bookings (booking_id), sequence integer not null, from_state text,
  to_state text not null, at bigint not null, reason text,
  -- Null for a change of state; otherwise both states are the current one.
  kind text,
  -- Null in early events of version 0.1.
  actor_kind text,
  actor_id text, request_id text, constraint booking_events_pk primary key (booking_id, sequence));

create table webhooks (
  id text primary key, account_id text not null,
  -- Separated by spaces.
  events text not null,
  -- Address, description and signing secret, encrypted: addresses often contain a token.
  target text not null,
  created_at bigint not null, disabled_at bigint,
  -- Attempts that failed in a row.
  failures integer not null,
  -- Nothing is sent before this time.
  paused_until bigint not null);
create index webhooks_by_account on webhooks (account_id, created_at);

-- Events to be sent to a webhook, ordered by `sequence` within a booking. No foreign key: deleting a webhook must
-- not make a booking fail.
create table webhook_deliveries (
  webhook_id text not null, booking_id text not null, sequence integer not null, payload text not null,
  created_at bigint not null, attempts integer not null,
  -- Null while it is pending.
  outcome text,
  -- When it was last sent again on request, and the number of attempts before that.
  replayed_at bigint,
  attempts_before integer, constraint webhook_deliveries_pk primary key (webhook_id, booking_id, sequence));
create index webhook_deliveries_age on webhook_deliveries (created_at);

create table summaries (
  property_id text primary key,
  -- The rest of the PropertySummary as JSON.
  fields text not null);

-- Attempts to deliver an event, and their results.
create table webhook_attempts (
  webhook_id text not null, booking_id text not null, sequence integer not null, attempt integer not null,
  at bigint not null, took_ms integer not null, status integer, error text,
  -- Beginning of the receiver's response, encrypted.
  answer text,
  constraint webhook_attempts_pk primary key (webhook_id, booking_id, sequence, attempt));

-- Progress of matching again by new rules, cell after cell; a single row.
create table match_progress (
  id integer primary key, rules integer not null, after_cell bigint not null,
  -- Properties merged into another one.
  joined bigint not null,
  -- Vendor properties that got an id of their own.
  split bigint not null,
  finished_at bigint);

-- Duplicates within one vendor, which remain properties of their own.
create table property_twins (
  vendor_id text not null, vendor_property_id text not null, property_id text not null,
  found_at bigint not null, constraint property_twins_pk primary key (vendor_id, vendor_property_id));

-- Failed sign-ins by hash of an IP address, of an e-mail address, or of both.
create table sign_in_slowdowns (
  key_hash text primary key, email_hash text, failures integer not null, window_started_at bigint not null,
  slowed_until bigint not null);
create index sign_in_slowdowns_by_email on sign_in_slowdowns (email_hash);

-- Hashes of an IP address and an e-mail address that signed in from it.
create table known_addresses (pair_hash text primary key, signed_in_at bigint not null);

-- Progress of reading a vendor's content.
create table content_jobs (
  vendor_id text primary key,
  -- The day (UTC) whose requests are counted.
  requests_day text not null,
  requests bigint not null,
  -- Start of the last full feed that was read completely.
  full_at bigint,
  -- Start of the last feed, full or of changes, that was read completely.
  fresh_at bigint,
  -- Index of the next place to read.
  next_area bigint not null,
  -- Properties that the vendor no longer sells.
  dropped bigint not null,
  -- After a failure: time of the next attempt, and the reason.
  retry_at bigint,
  failure text);

-- Room type of each vendor's room, with the facts that the decision was based on.
create table room_type_members (
  property_id text not null, vendor_id text not null, room_key text not null, room_type_id text not null,
  name text not null,
  -- A list as JSON.
  beds text not null,
  square_meters double precision not null,
  -- Version of the matching rules.
  rules integer not null,
  decided_at bigint not null, constraint room_type_members_pk primary key (property_id, vendor_id, room_key));

-- Operators' decisions on two rooms of a property (`vendor_id:room_key`, a < b).
create table room_pins (
  property_id text not null, a text not null, b text not null, kind text not null, decided_at bigint not null,
  decided_by text, reason text, constraint room_pins_pk primary key (property_id, a, b));

-- Notices of offers; the sealed offer contains the key.
create table notice_texts (notice_key text primary key, body text not null, expires_at bigint not null);
create index notice_texts_by_expiry on notice_texts (expires_at);

-- Copies of the remarks that a vendor's rates refer to.
create table rate_remarks (
  vendor_id text not null, ref text not null, remarks text not null, read_at bigint not null,
  primary key (vendor_id, ref));

-- Mails to guests and to the operator. Only `content` is personal.
create table mails (
  booking_id text not null,
  -- Sequence of the event; negative for a mail to the operator.
  sequence integer not null,
  kind text not null,
  -- Data of the mail, encrypted; null once it is no longer needed.
  content text,
  created_at bigint not null, attempts integer not null,
  -- sent, failed, superseded, erased, or kept (never to be sent). Null: waiting.
  outcome text,
  -- Code of the last failure.
  error text,
  constraint mails_pk primary key (booking_id, sequence));
create index mails_by_age on mails (created_at);

-- Readings of bookings at their vendors.
create table booking_readings (
  booking_id text not null, at bigint not null, outcome text not null,
  -- The vendor's response as a Receipt, encrypted; null if it had none.
  said text,
  constraint booking_readings_pk primary key (booking_id, at));

-- Time of the next reading that the vendor's quota permits, for all processes.
create table vendor_turns (vendor_id text primary key, next_reading_at bigint not null);

-- Offset of the clock for an account's simulated bookings.
create table test_clocks (account_id text primary key, offset_ms bigint not null);

create table api_keys (
  id text primary key, account_id text not null,
  -- SHA-256 of the key, hex. The key itself is not stored.
  hash text not null unique,
  -- First and last characters of the key, so that its owner recognizes it.
  hint text not null,
  name text not null, mode text not null,
  -- Separated by spaces.
  scopes text not null,
  -- Rate limit of the key; null if only the account's applies.
  per_minute integer,
  -- All three are null if the key has no budget.
  budget_minor bigint,
  budget_currency text, budget_per text, created_at bigint not null,
  -- Written rarely: may be some minutes old.
  last_used_at bigint,
  revoked_at bigint);
create index api_keys_by_account on api_keys (account_id);

-- Amount that a booking took from the budget of its API key.
create table key_spending (
  booking_id text primary key, key_id text not null,
  -- Day of the booking (UTC).
  day text not null,
  -- Currency of the budget at that time, or of the booking if there was none.
  currency text not null,
  -- Amount at first, and the part that was not given back.
  spent_minor bigint not null,
  kept_minor bigint not null);
create index key_spending_by_day on key_spending (key_id, day);

-- Actions of operators.
create table audit_log (
  id text primary key, at bigint not null, actor_kind text not null, actor_id text not null,
  action text not null,
  -- Object of the action; never personal.
  subject text not null,
  request_id text,
  -- Null until the result is known.
  outcome text,
  -- Entered by the operator; null if not required.
  reason text);
create index audit_log_by_time on audit_log (at, id);

-- Versions of the selling rules; rows are only added.
create table selling_rules (
  version integer primary key, rules text not null, changed_at bigint not null, actor_kind text not null,
  actor_id text not null);

-- Sessions of the page. `owner_id` is an account or a guest.
create table page_sessions (
  hash text primary key, owner_id text not null, is_guest integer not null, created_at bigint not null,
  expires_at bigint not null);
create index page_sessions_by_owner on page_sessions (owner_id);
create index page_sessions_by_expiry on page_sessions (expires_at);

-- Accounts that took over a guest's searches, offers and bookings.
create table guest_takeovers (guest_id text primary key, account_id text not null, taken_at bigint not null);
create index guest_takeovers_by_time on guest_takeovers (taken_at);

-- Content behind the ids given to agents, encrypted for the account.
create table mcp_handles (
  handle text primary key, account_id text not null, content text not null, expires_at bigint not null);
create index mcp_handles_by_expiry on mcp_handles (expires_at);

-- Calls to vendors.
create table vendor_calls (
  id text primary key, at bigint not null, vendor_id text not null, class text not null,
  operation text not null, request_id text not null, booking_id text, method text not null, path text not null,
  status integer, fault text, took_ms integer not null,
  -- Both without personal data, and encrypted because they contain net prices.
  request text,
  response text);
create index vendor_calls_by_booking on vendor_calls (booking_id, at);
create index vendor_calls_by_request on vendor_calls (request_id);
create index vendor_calls_by_time on vendor_calls (at);

-- Entries of the attention list that an operator has settled, as of `since`.
create table attention_marks (
  entry_id text primary key, since bigint not null, at bigint not null, actor_kind text not null,
  actor_id text not null, reason text not null);

-- Calls to a vendor by start time. Every call is counted in an interval of 5 minutes and in one of 60.
create table vendor_call_counts (
  minutes integer not null, began_at bigint not null, vendor_id text not null, operation text not null,
  outcome text not null,
  -- Upper bound of the duration.
  up_to_ms integer not null,
  calls bigint not null,
  constraint vendor_call_counts_pk primary key (minutes, began_at, vendor_id, operation, outcome, up_to_ms));

-- Circuit breakers of each process, by vendor and class of calls.
create table vendor_breakers (
  process text not null, vendor_id text not null, call_class text not null, state text not null,
  -- When it was closed or opened.
  since bigint not null,
  under_way integer not null,
  -- End of the pause that the vendor asked for; null if it did not.
  held_until bigint,
  -- Last report; the row of a process that has ended becomes stale.
  seen_at bigint not null,
  constraint vendor_breakers_pk primary key (process, vendor_id, call_class));

-- Number of searches that asked a vendor, by account and day (UTC).
create table vendor_searches (
  day text not null, vendor_id text not null, account_id text not null, searches bigint not null,
  constraint vendor_searches_pk primary key (day, vendor_id, account_id));

-- Requests to the API. Nothing about the guest, the body or the client's address.
create table requests (
  id text primary key,
  -- Not unique: clients may choose it, and an agent's call may make several requests.
  request_id text not null,
  at bigint not null, operation text not null, method text not null, path text not null,
  status integer not null, code text, took_ms integer not null, account_id text, key_id text,
  simulated integer not null, search_id text, booking_id text, expires_at bigint not null);
create index requests_by_request_id on requests (request_id);
create index requests_by_time on requests (at, id);
create index requests_by_expiry on requests (expires_at);

-- Pairs of vendor properties that nearly matched (a < b), when they were compared.
create table near_matches (
  a_vendor_id text not null, a_vendor_property_id text not null, b_vendor_id text not null,
  b_vendor_property_id text not null, score double precision not null,
  -- A list as JSON.
  evidence text not null,
  found_at bigint not null,
  constraint near_matches_pk primary key (a_vendor_id, a_vendor_property_id, b_vendor_id, b_vendor_property_id));
create index near_matches_by_score on near_matches (score);

-- A vendor's description of a property in a language other than English; `texts` is null if it has none.
create table property_texts (
  vendor_id text not null, vendor_property_id text not null, language text not null, read_at bigint not null,
  -- Compressed.
  texts blob,
  primary key (vendor_id, vendor_property_id, language));

-- Progress of reading a vendor's descriptions in a language.
create table text_jobs (
  vendor_id text not null, language text not null,
  -- Last property that was read.
  after_id text not null,
  -- When all had been read.
  finished_at bigint,
  primary key (vendor_id, language));

-- Background work. A task is deleted once it is done.
create table tasks (
  kind text not null, subject text not null,
  -- Tasks with the same key share a limit: a vendor, or a webhook.
  key text not null,
  -- End of the lease while a process works on it; earlier if the task was put again meanwhile.
  due_at bigint not null,
  lease_until bigint not null,
  -- Claims so far.
  attempts integer not null,
  -- Attempts that failed in a row.
  failures integer not null,
  -- Time of the first request for this work.
  since bigint not null,
  -- JSON, different for each kind.
  payload text,
  constraint tasks_pk primary key (kind, subject));
create index tasks_due on tasks (kind, due_at);
