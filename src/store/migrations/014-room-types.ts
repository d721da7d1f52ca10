import type { Migration } from '../migration.ts'

/** Which rooms of a property's vendors are the same, and an operator's decisions on them. */
export const roomTypes: Migration = {
  async up({ schema }) {
    await schema
      .createTable('room_type_members')
      .addColumn('property_id', 'text', (c) => c.notNull())
      .addColumn('vendor_id', 'text', (c) => c.notNull())
      .addColumn('room_key', 'text', (c) => c.notNull())
      .addColumn('room_type_id', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('beds', 'text', (c) => c.notNull())
      .addColumn('square_meters', 'double precision', (c) => c.notNull())
      .addColumn('rules', 'integer', (c) => c.notNull())
      .addColumn('decided_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('room_type_members_pk', ['property_id', 'vendor_id', 'room_key'])
      .execute()
    await schema
      .createTable('room_pins')
      .addColumn('property_id', 'text', (c) => c.notNull())
      .addColumn('a', 'text', (c) => c.notNull())
      .addColumn('b', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('decided_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('room_pins_pk', ['property_id', 'a', 'b'])
      .execute()
  },
}
