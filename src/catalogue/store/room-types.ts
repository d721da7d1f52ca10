import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { upsert } from '../../store/upsert.ts'

export type RoomTypeStore = ReturnType<typeof createRoomTypeStore>

/** Which rooms of a property's vendors are one room type, and what operators decided on them. */
export function createRoomTypeStore(database: Database) {
  return {
    async read(propertyId: string): Promise<{ members: Tables['room_type_members'][]; pins: Tables['room_pins'][] }> {
      const [members, pins] = await Promise.all([
        database.read.selectFrom('room_type_members').selectAll().where('property_id', '=', propertyId).execute(),
        database.read.selectFrom('room_pins').selectAll().where('property_id', '=', propertyId).execute(),
      ])
      return { members, pins }
    },

    /** Both in one transaction: a decision never stands without its result. */
    write(members: readonly Tables['room_type_members'][], pins: readonly Tables['room_pins'][] = []): Promise<void> {
      return database.write(async (tx) => {
        await upsert(tx, 'room_type_members', ['property_id', 'vendor_id', 'room_key'], members)
        await upsert(tx, 'room_pins', ['property_id', 'a', 'b'], pins)
      })
    },
  }
}
