import type { Migration } from '../migration.ts'

export const catalogue: Migration = {
  name: '002-catalogue',
  async up(schema, { blob }) {
    // Narrow columns first: matching reads them by the thousand and must not drag the content along.
    await schema
      .createTable('vendor_properties')
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('vendor_property_id', 'text', (c) => c.notNull())
      .addColumn('property_id', 'text', (c) => c.notNull())
      .addColumn('cell', 'bigint', (c) => c.notNull())
      .addColumn('lat', 'double precision', (c) => c.notNull())
      .addColumn('lon', 'double precision', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('chain', 'text', (c) => c.notNull())
      .addColumn('category', 'text', (c) => c.notNull())
      .addColumn('star_rating', 'double precision', (c) => c.notNull())
      .addColumn('phone', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('city', 'text', (c) => c.notNull())
      .addColumn('postal_code', 'text', (c) => c.notNull())
      .addColumn('country_code', 'text', (c) => c.notNull())
      .addColumn('content_hash', 'text', (c) => c.notNull())
      .addColumn('synced_at', 'bigint', (c) => c.notNull())
      .addColumn('content', blob, (c) => c.notNull())
      .addPrimaryKeyConstraint('vendor_properties_pk', ['vendor_id', 'vendor_property_id'])
      .execute()
    await schema.createIndex('vendor_properties_by_cell').on('vendor_properties').column('cell').execute()
    await schema.createIndex('vendor_properties_by_property').on('vendor_properties').column('property_id').execute()

    await schema
      .createTable('properties')
      .addColumn('property_id', 'text', (c) => c.primaryKey())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('lat', 'double precision', (c) => c.notNull())
      .addColumn('lon', 'double precision', (c) => c.notNull())
      .addColumn('vendors', 'text', (c) => c.notNull())
      .addColumn('merged_into', 'text')
      .execute()
    await schema.createIndex('properties_by_seq').on('properties').column('seq').unique().execute()

    await schema
      .createTable('property_summaries')
      .addColumn('property_id', 'text', (c) => c.primaryKey())
      .addColumn('name_folded', 'text', (c) => c.notNull())
      .addColumn('star_rating', 'double precision', (c) => c.notNull())
      .addColumn('guest_rating', 'double precision', (c) => c.notNull())
      .addColumn('category', 'text', (c) => c.notNull())
      .addColumn('amenity_slugs', 'text', (c) => c.notNull())
      .addColumn('summary', 'text', (c) => c.notNull())
      .execute()

    await schema
      .createTable('property_links')
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('vendor_property_id', 'text', (c) => c.notNull())
      .addColumn('property_id', 'text', (c) => c.notNull())
      .addColumn('score', 'double precision', (c) => c.notNull())
      .addColumn('decided_by', 'text', (c) => c.notNull())
      .addColumn('evidence', 'text', (c) => c.notNull())
      .addColumn('decided_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('property_links_pk', ['vendor_id', 'vendor_property_id'])
      .execute()
    await schema
      .createTable('property_pins')
      .addColumn('a', 'text', (c) => c.notNull())
      .addColumn('b', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('decided_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('property_pins_pk', ['a', 'b'])
      .execute()
    await schema.createIndex('property_pins_by_b').on('property_pins').column('b').execute()

    await schema
      .createTable('content_areas')
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('area_key', 'text', (c) => c.notNull())
      .addColumn('synced_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('content_areas_pk', ['vendor_id', 'area_key'])
      .execute()
    await schema
      .createTable('content_feeds')
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('since', 'text', (c) => c.notNull())
      .addColumn('cursor', 'text')
      .addColumn('properties', 'bigint', (c) => c.notNull())
      .addColumn('dropped', 'bigint', (c) => c.notNull())
      .addColumn('total', 'bigint')
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('finished_at', 'bigint')
      .addPrimaryKeyConstraint('content_feeds_pk', ['vendor_id', 'since'])
      .execute()
    await schema
      .createTable('catalogue_state')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .execute()
  },
}
