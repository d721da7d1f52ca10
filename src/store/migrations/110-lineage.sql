-- At most one booking of all offers of one room of one search is neither rejected nor cancelled.

alter table bookings add column
  -- Identifies the room of the search; null in bookings made by earlier versions, whose offer takes its place.
  lineage text;
create unique index bookings_by_lineage on bookings (account_id, (coalesce(lineage, offer_id)))
  where state not in ('rejected', 'cancelled');
