import { statements } from '../migration.ts'

export const searches = statements(
  ({ blob }) => `
    create table searches (
      search_id text primary key, account_id text not null, created_at bigint not null,
      expires_at bigint not null, simulated integer not null, destination text not null,
      check_in text not null, check_out text not null, found integer not null,
      head text not null, results ${blob} not null);
    create index searches_by_account on searches (account_id, created_at, search_id);
    create index searches_by_expiry on searches (expires_at)`,
)
