import { statements } from '../migration.ts'

export const catalogue = statements(
  ({ blob }) => `
    -- Narrow columns first: matching reads them by the thousand and must not drag the content along.
    create table vendor_properties (
      vendor_id text not null, vendor_property_id text not null, property_id text not null,
      cell bigint not null, lat double precision not null, lon double precision not null,
      name text not null, chain text not null, category text not null,
      star_rating double precision not null, phone text not null, address text not null,
      city text not null, postal_code text not null, country_code text not null,
      content_hash text not null, synced_at bigint not null, content ${blob} not null,
      constraint vendor_properties_pk primary key (vendor_id, vendor_property_id));
    create index vendor_properties_by_cell on vendor_properties (cell);
    create index vendor_properties_by_property on vendor_properties (property_id);
    create table properties (
      property_id text primary key, seq bigint not null, lat double precision not null,
      lon double precision not null, vendors text not null, merged_into text);
    create unique index properties_by_seq on properties (seq);
    create table property_summaries (
      property_id text primary key, name_folded text not null,
      star_rating double precision not null, guest_rating double precision not null,
      category text not null, amenity_slugs text not null, summary text not null);
    create table property_links (
      vendor_id text not null, vendor_property_id text not null, property_id text not null,
      score double precision not null, decided_by text not null, evidence text not null,
      decided_at bigint not null,
      constraint property_links_pk primary key (vendor_id, vendor_property_id));
    create table property_pins (
      a text not null, b text not null, kind text not null, decided_at bigint not null,
      constraint property_pins_pk primary key (a, b));
    create index property_pins_by_b on property_pins (b);
    create table content_areas (
      vendor_id text not null, area_key text not null, synced_at bigint not null,
      constraint content_areas_pk primary key (vendor_id, area_key));
    create table content_feeds (
      vendor_id text not null, since text not null, cursor text, properties bigint not null,
      dropped bigint not null, total bigint, started_at bigint not null,
      updated_at bigint not null, finished_at bigint,
      constraint content_feeds_pk primary key (vendor_id, since));
    create table catalogue_state (
      id integer primary key, seq bigint not null)`,
)
