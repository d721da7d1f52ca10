alter table audit_log add column
  -- The changed fields with their values before and after, as JSON; null if unknown.
  changes text;
