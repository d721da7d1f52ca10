-- Saved searches in partitions by day of expiry (UTC), which are dropped as a whole; see search/store/search-days.ts. The version
-- before reads and writes the same table. Its rows are the first partition, up to the day on which the last of them expires.
alter table searches rename to searches_first;
alter index searches_by_account rename to searches_first_by_account;
alter index searches_by_expiry rename to searches_first_by_expiry;
create table searches (like searches_first) partition by range (expires_at);
-- Not unique, because a unique index would have to contain the day. Ids are random.
create index searches_by_id on searches (search_id);
create index searches_by_account on searches (account_id, created_at, search_id);
create index searches_by_expiry on searches (expires_at);
do $$
declare
  day constant bigint := 86400000;
  now_ms constant bigint := extract(epoch from now()) * 1000;
  newest bigint;
begin
  select max(expires_at) into newest from searches_first;
  execute format('alter table searches attach partition searches_first for values from (minvalue) to (%s)',
    (greatest(newest, now_ms) / day + 1) * day);
end
$$;
-- For a day whose partition is missing.
create table searches_rest partition of searches default;
