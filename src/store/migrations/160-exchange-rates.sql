-- Exchange rates as the source published them.
create table exchange_rates (
  -- The day that the source states, such as 2027-01-15.
  day text not null, source text not null,
  -- JSON: the amount of each currency per euro.
  rates text not null,
  -- When the source first and last returned these rates. It may correct the rates of a day.
  first_read_at bigint not null, read_at bigint not null,
  -- Null while they wait for the confirmation of an operator.
  accepted_at bigint,
  constraint exchange_rates_pk primary key (source, day, first_read_at));
