import { statements } from '../migration.ts'

export const accounts = statements(
  () => `
    create table accounts (
      id text primary key, email text not null, email_key text not null unique,
      name text not null, password_hash text not null, created_at bigint not null,
      disabled_at bigint);
    create table tokens (
      hash text primary key, account_id text not null references accounts (id),
      created_at bigint not null, expires_at bigint not null, revoked_at bigint);
    create index tokens_by_account on tokens (account_id);
    create index tokens_by_expiry on tokens (expires_at);
    create table sign_in_failures (
      email_hash text primary key, failures integer not null, window_started_at bigint not null,
      locked_until bigint not null)`,
)
