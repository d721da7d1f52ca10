import { statements } from '../migration.ts'

/** What the operators' console reads: calls to vendors, and what operators have marked as settled. */
export const consoleTables = statements(
  () => `
    create table vendor_calls (
      id text primary key, at bigint not null, vendor_id text not null, class text not null, operation text not null,
      request_id text not null, booking_id text, method text not null, path text not null,
      status integer, fault text, took_ms integer not null, request text, response text);
    create index vendor_calls_by_booking on vendor_calls (booking_id, at);
    create index vendor_calls_by_request on vendor_calls (request_id);
    create index vendor_calls_by_time on vendor_calls (at);
    create table attention_marks (
      entry_id text primary key, since bigint not null, at bigint not null,
      actor_kind text not null, actor_id text not null, reason text not null)`,
)
