import { readInParts } from '../../store/at-once.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { MATCH_COLUMNS, type MatchRow, READ_AGAIN } from './columns.ts'

/** What keeping the content fresh reads of the catalogue. */
export function upkeepReads(db: ReadOnly) {
  const rows = () => db.selectFrom('vendor_properties')
  return {
    droppedInCells: (vendorId: string, cells: readonly number[]): Promise<MatchRow[]> =>
      readInParts(cells, (part) =>
        rows()
          .select(MATCH_COLUMNS)
          .where('cell', 'in', part)
          .where('vendor_id', '=', vendorId)
          .where('dropped_at', 'is not', null)
          .execute(),
      ),

    /** What the vendor has not shown since `before`, in the order of its codes; dropped ones left out. */
    notSeenSince: (vendorId: string, before: number, limit: number): Promise<MatchRow[]> =>
      rows()
        .select(MATCH_COLUMNS)
        .where('vendor_id', '=', vendorId)
        .where('synced_at', '<', before)
        .where('dropped_at', 'is', null)
        .orderBy('vendor_property_id')
        .limit(limit)
        .execute(),

    /** How many properties of a vendor there are, and how many of them it has shown since a moment; dropped ones left out. */
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

    /** Ids of some properties whose rooms have not been read, or are to be read again. */
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
  /** Second entries of one vendor for these properties. */
  twinsOf: (vendorId: string, propertyIds: readonly string[]): Promise<Tables['property_twins'][]> =>
    readInParts(propertyIds, (part) =>
      db
        .selectFrom('property_twins')
        .selectAll()
        .where('vendor_id', '=', vendorId)
        .where('property_id', 'in', part)
        .execute(),
    ),
})

/** And what it writes. */
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

    /** Their full content is to be read again; until then the stored content stays in use. */
    markToReadAgain: (vendorId: string, ids: readonly string[]) => update(vendorId, ids, { rooms_unread: READ_AGAIN }),

    /** There is nothing to be read about their rooms. */
    markRoomsRead: (vendorId: string, ids: readonly string[]) => update(vendorId, ids, { rooms_unread: null }),

    /** Second entries for the property `from` become ones for `to`, except those that are now part of `to` itself. */
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
