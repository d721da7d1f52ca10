import { statements } from '../migration.ts'

/**
 * Texts that a seller must show: those of offers, which are sealed with their keys alone, and a copy of those that a vendor
 * names by reference. Beside them, what the vendor tells with and after its confirmation.
 */
export const notices = statements(
  () => `
    create table notice_texts (notice_key text primary key, body text not null, expires_at bigint not null);
    create index notice_texts_by_expiry on notice_texts (expires_at);
    create table rate_remarks (
      vendor_id text not null, ref text not null, remarks text not null, read_at bigint not null,
      primary key (vendor_id, ref));
    alter table bookings add column confirmation text;
    alter table bookings add column told_notices text`,
)
