alter table bookings add column
  -- Time at which the request left for the vendor; 0 before that. Null in bookings made by earlier versions, which may have been sent.
  sending_at bigint;
