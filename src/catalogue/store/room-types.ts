import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { upsert } from '../../store/upsert.ts'

export type RoomTypeStore = ReturnType<typeof createRoomTypeStore>

/** Grouping of vendors' rooms into room types, and operators' decisions on it. */
export function createRoomTypeStore(database: Database) {
  return {
    async read(propertyId: string): Promise<{ members: Tables['room_type_members'][]; pins: Tables['room_pins'][] }> {
      const [members, pins] = await Promise.all([
        database.read.selectFrom('room_type_members').selectAll().where('property_id', '=', propertyId).execute(),
        database.read.selectFrom('room_pins').selectAll().where('property_id', '=', propertyId).execute(),
      ])
      return { members, pins }
    },

    /** One transaction, so that a decision is never stored without its result. */
    write(members: readonly Tables['room_type_members'][], pins: readonly Tables['room_pins'][] = []): Promise<void> {
      return database.write(async (tx) => {
        await upsert(tx, 'room_type_members', ['property_id', 'vendor_id', 'room_key'], members)
        await upsert(tx, 'room_pins', ['property_id', 'a', 'b'], pins)
      })
    },
  }
}
