-- Reason why the pair was not joined; null if an earlier version found it.
alter table near_matches add column reason text;

-- Near matches that an operator has put off. Keys as in `property_pins`.
create table postponed_pairs (
  a text not null, b text not null, until bigint not null, constraint postponed_pairs_pk primary key (a, b));
