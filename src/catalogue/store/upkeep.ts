import { readInBatches } from '../../store/batches.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { MATCH_COLUMNS, type MatchRow, READ_AGAIN } from './columns.ts'

export function upkeepReads(db: ReadOnly) {
  const rows = () => db.selectFrom('vendor_properties')
  return {
    droppedInCells: (vendorId: string, cells: readonly number[]): Promise<MatchRow[]> =>
      readInBatches(cells, (part) =>
        rows()
          .select(MATCH_COLUMNS)
          .where('cell', 'in', part)
          .where('vendor_id', '=', vendorId)
          .where('dropped_at', 'is not', null)
          .execute(),
      ),

    /** Properties that the vendor has not listed since `before`, ordered by id, without dropped ones. */
    notSeenSince: (vendorId: string, before: number, limit: number): Promise<MatchRow[]> =>
      rows()
        .select(MATCH_COLUMNS)
        .where('vendor_id', '=', vendorId)
        .where('synced_at', '<', before)
        .where('dropped_at', 'is', null)
        .orderBy('vendor_property_id')
        .limit(limit)
        .execute(),

    /** Number of a vendor's properties, and of those listed since a time; without dropped ones. */
    async countSeenSince(vendorId: string, since: number): Promise<{ known: number; seen: number }> {
      const { known, seen } = await rows()
        .select(({ fn }) => [
          fn.countAll<number | string>().as('known'),
          fn.countAll<number | string>().filterWhere('synced_at', '>=', since).as('seen'),
        ])
        .where('vendor_id', '=', vendorId)
        .where('dropped_at', 'is', null)
        .executeTakeFirstOrThrow()
      return { known: Number(known), seen: Number(seen) }
    },

    /** Ids of properties whose rooms are unread or stale. */
    async withoutRooms(vendorId: string, limit: number): Promise<string[]> {
      const found = await rows()
        .select('vendor_property_id')
        .where('vendor_id', '=', vendorId)
        .where('rooms_unread', 'is not', null)
        .where('dropped_at', 'is', null)
        .limit(limit)
        .execute()
      return found.map((row) => row.vendor_property_id)
    },

    ...twinReads(db),
  }
}

const twinReads = (db: ReadOnly) => ({
  /** Duplicate entries of one vendor for these properties. */
  twinsForProperties: (vendorId: string, propertyIds: readonly string[]): Promise<Tables['property_twins'][]> =>
    readInBatches(propertyIds, (part) =>
      db
        .selectFrom('property_twins')
        .selectAll()
        .where('vendor_id', '=', vendorId)
        .where('property_id', 'in', part)
        .execute(),
    ),
})

export function upkeepWrites(tx: Tx) {
  async function update(
    vendorId: string,
    ids: readonly string[],
    values: Partial<Pick<Tables['vendor_properties'], 'dropped_at' | 'rooms_unread'>>,
  ): Promise<void> {
    if (ids.length === 0) return
    await tx
      .updateTable('vendor_properties')
      .set(values)
      .where('vendor_id', '=', vendorId)
      .where('vendor_property_id', 'in', ids)
      .execute()
  }

  return {
    markDropped: (vendorId: string, ids: readonly string[], droppedAt: number) =>
      update(vendorId, ids, { dropped_at: droppedAt }),

    /** Schedules the full content to be read again; the stored content stays in use. */
    markToReadAgain: (vendorId: string, ids: readonly string[]) => update(vendorId, ids, { rooms_unread: READ_AGAIN }),

    markRoomsRead: (vendorId: string, ids: readonly string[]) => update(vendorId, ids, { rooms_unread: null }),

    /** Moves duplicate entries of `from` to `to`, except those that are now part of `to` itself. */
    async moveTwins(from: string, to: string): Promise<void> {
      await tx.updateTable('property_twins').set({ property_id: to }).where('property_id', '=', from).execute()
      await tx
        .deleteFrom('property_twins')
        .where('property_id', '=', to)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('vendor_properties as entry')
              .select('entry.property_id')
              .whereRef('entry.vendor_id', '=', 'property_twins.vendor_id')
              .whereRef('entry.vendor_property_id', '=', 'property_twins.vendor_property_id')
              .where('entry.property_id', '=', to),
          ),
        )
        .execute()
    },
  }
}
