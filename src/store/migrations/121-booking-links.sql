-- Bookings whose links were revoked. A link with a lower version is invalid; without a row, the version is 0.
create table booking_link_revocations (
  booking_id text primary key, version integer not null, revoked_at bigint not null);
