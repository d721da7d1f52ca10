-- Shapes of vendors' responses: paths and types without values.
create table vendor_shapes (
  vendor_id text not null, operation text not null,
  responses double precision not null,
  -- JSON: responses by path.
  counts text not null,
  constraint vendor_shapes_pk primary key (vendor_id, operation));

-- Changes of the shapes, for 30 days.
create table vendor_drifts (
  vendor_id text not null, operation text not null, kind text not null, path text not null,
  seen_at bigint not null,
  constraint vendor_drifts_pk primary key (vendor_id, operation, kind, path));
create index vendor_drifts_age on vendor_drifts (seen_at);
