import { statements } from '../migration.ts'

/** What vendors say of properties in further languages, and how far reading all of it has come. */
export const propertyTexts = statements(
  ({ blob }) => `
    create table property_texts (
      vendor_id text not null, vendor_property_id text not null, language text not null,
      read_at bigint not null, texts ${blob},
      primary key (vendor_id, vendor_property_id, language));
    create table text_jobs (
      vendor_id text not null, language text not null, after_id text not null, finished_at bigint,
      primary key (vendor_id, language))`,
)
