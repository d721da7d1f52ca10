-- Whether commits of this database may have been lost; a single row. `serai restore` creates the table in old backups.
create table if not exists store_history (
  id integer primary key,
  -- Increases each time that commits may have been lost.
  generation bigint not null,
  -- PostgreSQL's system identifier and timeline; null until the first start of a version that reads them.
  cluster text,
  timeline text,
  -- When the last such change was noticed.
  changed_at bigint,
  -- Creation of the newest booking that was left then.
  data_until bigint,
  -- End of the last complete reconciliation.
  reconciled_at bigint);
insert into store_history (id, generation) values (1, 0) on conflict do nothing;
