import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { upsert } from '../../store/upsert.ts'

export type RateRemarksStore = ReturnType<typeof createRateRemarksStore>

/** Copies of the remarks to which vendors' rates refer. */
export function createRateRemarksStore(database: Database) {
  return {
    async read(vendorId: string, refs: readonly string[]): Promise<Tables['rate_remarks'][]> {
      if (refs.length === 0) return []
      return database.read
        .selectFrom('rate_remarks')
        .selectAll()
        .where('vendor_id', '=', vendorId)
        .where('ref', 'in', refs)
        .execute()
    },

    put: (rows: readonly Tables['rate_remarks'][]): Promise<void> =>
      database.write((tx) => upsert(tx, 'rate_remarks', ['vendor_id', 'ref'], rows)),

    /** Deletes remarks that have not been read since `readAt`. */
    async dropOlder(vendorId: string, readAt: number): Promise<void> {
      await database.write((tx) =>
        tx.deleteFrom('rate_remarks').where('vendor_id', '=', vendorId).where('read_at', '<', readAt).execute(),
      )
    },
  }
}
