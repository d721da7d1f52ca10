import { readInBatches } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { upsert } from '../../store/upsert.ts'
import { READ_AGAIN } from './columns.ts'

export type PropertyTextsStore = ReturnType<typeof createPropertyTextsStore>

/** Vendors' property texts in other languages. */
export function createPropertyTextsStore(database: Database) {
  return {
    read: (vendorId: string, ids: readonly string[], language: string): Promise<Tables['property_texts'][]> =>
      readInBatches(ids, (part) =>
        database.read
          .selectFrom('property_texts')
          .selectAll()
          .where('vendor_id', '=', vendorId)
          .where('language', '=', language)
          .where('vendor_property_id', 'in', part)
          .execute(),
      ),

    put: (rows: readonly Tables['property_texts'][]): Promise<void> =>
      database.write((tx) => upsert(tx, 'property_texts', ['vendor_id', 'vendor_property_id', 'language'], rows)),

    /** Next properties of a vendor whose rooms are known, ordered by id. */
    async idsAfter(vendorId: string, id: string, limit: number): Promise<string[]> {
      const rows = await database.read
        .selectFrom('vendor_properties')
        .select('vendor_property_id')
        .where('vendor_id', '=', vendorId)
        .where('vendor_property_id', '>', id)
        .where('dropped_at', 'is', null)
        .where((eb) => eb.or([eb('rooms_unread', 'is', null), eb('rooms_unread', '=', READ_AGAIN)]))
        .orderBy('vendor_property_id')
        .limit(limit)
        .execute()
      return rows.map((row) => row.vendor_property_id)
    },

    job: (vendorId: string, language: string): Promise<Tables['text_jobs'] | undefined> =>
      database.read
        .selectFrom('text_jobs')
        .selectAll()
        .where('vendor_id', '=', vendorId)
        .where('language', '=', language)
        .executeTakeFirst(),

    putJob: (row: Tables['text_jobs']): Promise<void> =>
      database.write((tx) => upsert(tx, 'text_jobs', ['vendor_id', 'language'], [row])),
  }
}
