import type { Migration } from '../migration.ts'

/** Why operators did something, when accounts signed in last, and pairs of properties that nearly matched. */
export const operators: Migration = {
  async up({ schema }) {
    await schema.alterTable('audit_log').addColumn('reason', 'text').execute()
    await schema.alterTable('accounts').addColumn('last_signed_in_at', 'bigint').execute()
    for (const table of ['property_pins', 'room_pins'] as const) {
      await schema.alterTable(table).addColumn('decided_by', 'text').execute()
      await schema.alterTable(table).addColumn('reason', 'text').execute()
    }
    // For lists with the weakest match first.
    await schema.createIndex('property_links_by_score').on('property_links').columns(['score']).execute()
    await schema.createIndex('property_links_by_property').on('property_links').columns(['property_id']).execute()
    await schema
      .createTable('near_matches')
      .addColumn('a_vendor_id', 'text', (c) => c.notNull())
      .addColumn('a_vendor_property_id', 'text', (c) => c.notNull())
      .addColumn('b_vendor_id', 'text', (c) => c.notNull())
      .addColumn('b_vendor_property_id', 'text', (c) => c.notNull())
      .addColumn('score', 'double precision', (c) => c.notNull())
      .addColumn('evidence', 'text', (c) => c.notNull())
      .addColumn('found_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('near_matches_pk', [
        'a_vendor_id',
        'a_vendor_property_id',
        'b_vendor_id',
        'b_vendor_property_id',
      ])
      .execute()
    await schema.createIndex('near_matches_by_score').on('near_matches').columns(['score']).execute()
  },
}
