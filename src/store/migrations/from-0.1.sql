-- From the last schema of version 0.1 to the baseline: one queue for all background work. Carries over what is open, then
-- removes what scheduled it before. No process runs meanwhile, so a lease only makes its work due later.

create table tasks (
  kind text not null, subject text not null, key text not null, due_at bigint not null, lease_until bigint not null,
  attempts integer not null, failures integer not null, since bigint not null, payload text,
  constraint tasks_pk primary key (kind, subject));
create index tasks_due on tasks (kind, due_at);

insert into tasks select 'settle', booking_id, vendor_id, case when lease_until > due_at then lease_until else due_at end,
  0, attempts, attempts, case when state = 'cancelling' then updated_at else coalesce(submitted_at, created_at) end, null
  from bookings where due_at is not null and state in ('submitting', 'in_doubt', 'cancelling');

insert into tasks select 'read', booking_id, case when simulated = 1 then 'test ' || vendor_id else vendor_id end,
  case when reading_lease_until > reading_due_at then reading_lease_until else reading_due_at end,
  0, 0, coalesce(reading_failures, 0), reading_due_at, cast(absent_since as text)
  from bookings where reading_due_at is not null and state in ('confirmed', 'needs_review');

-- Bookings that were confirmed before 0.1 planned readings; the first reading plans the others.
insert into tasks select 'read', booking_id, case when simulated = 1 then 'test ' || vendor_id else vendor_id end,
  updated_at, 0, 0, 0, updated_at, null from bookings
  where state = 'confirmed' and confirmed_at is null and reading_due_at is null and persons_erased_at is null;
update bookings set confirmed_at = updated_at where state = 'confirmed' and confirmed_at is null;

insert into tasks select 'list', vendor_id, '', list_due_at, 0, 0, 0, list_due_at, null
  from vendor_turns where list_due_at > 0;

insert into tasks select 'content', vendor_id, '', coalesce(retry_at, 0), 0, 0, case when retry_at is null then 0 else 1 end,
  coalesce(retry_at, 0), null from content_jobs;

insert into tasks select 'match', 'all', '', 0, 0, 0, 0, 0, null from match_progress where finished_at is null;

insert into tasks select 'mail', case when sequence < 0 then 'operator ' || booking_id else booking_id end as subject,
  '', min(due_at), 0, 0, 0, min(created_at), null
  from mails where outcome is null and due_at is not null group by subject;

insert into tasks select 'webhook', delivery.webhook_id || ' ' || delivery.booking_id as subject,
  webhooks.account_id || ' ' || webhooks.id as key, min(delivery.due_at), 0, 0, 0, min(delivery.created_at), null
  from webhook_deliveries as delivery join webhooks on webhooks.id = delivery.webhook_id
  where delivery.due_at is not null group by subject, key;

drop index mails_due;
drop index webhook_deliveries_due;
drop index bookings_due;
drop index bookings_to_read;
drop index bookings_reading_failed;
drop index bookings_unplanned;
alter table mails drop column due_at;
alter table mails drop column lease_until;
alter table webhook_deliveries drop column due_at;
alter table webhook_deliveries drop column lease_until;
alter table bookings drop column due_at;
alter table bookings drop column lease_until;
alter table bookings drop column attempts;
alter table bookings drop column reading_due_at;
alter table bookings drop column reading_lease_until;
alter table bookings drop column readings;
alter table bookings drop column reading_failures;
alter table bookings drop column absent_since;
alter table vendor_turns drop column list_due_at;
alter table content_jobs drop column owner;
alter table content_jobs drop column lease_until;
alter table match_progress drop column owner;
alter table match_progress drop column lease_until;
alter table summaries drop column seq;

drop table property_summaries;
drop table sign_in_failures;
drop table if exists schema_migrations;
drop table kysely_migration_lock;
