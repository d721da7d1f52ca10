import { statements } from '../migration.ts'

/**
 * Failed sign-ins slow down the address that sends them and lock no account. The locks of version 0.1 end here; its table
 * stays, empty, because nodes of that version may still be running on this database.
 */
export const signIns = statements(
  () => `
    create table sign_in_slowdowns (
      key_hash text primary key, email_hash text, failures integer not null,
      window_started_at bigint not null, slowed_until bigint not null);
    create index sign_in_slowdowns_by_email on sign_in_slowdowns (email_hash);
    create table known_addresses (pair_hash text primary key, signed_in_at bigint not null);
    delete from sign_in_failures`,
)
