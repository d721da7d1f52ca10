import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { upsert } from '../../store/upsert.ts'

export type VendorDriftStore = ReturnType<typeof createVendorDriftStore>
export type StoredShape = {
  readonly vendor: string
  readonly operation: string
  readonly responses: number
  readonly counts: Map<string, number>
}

/** Learned shapes of vendors' responses, and changes that were found. */
export function createVendorDriftStore(database: Database) {
  return {
    async shapes(): Promise<StoredShape[]> {
      const rows = await database.read.selectFrom('vendor_shapes').selectAll().execute()
      return rows.map(({ vendor_id, operation, responses, counts }) => {
        const entries: [string, number][] = Object.entries(JSON.parse(counts))
        return { vendor: vendor_id, operation, responses, counts: new Map(entries) }
      })
    },

    saveShapes: (shapes: readonly StoredShape[]): Promise<void> =>
      database.write((tx) =>
        upsert(
          tx,
          'vendor_shapes',
          ['vendor_id', 'operation'],
          shapes.map(({ vendor, operation, responses, counts }) => ({
            vendor_id: vendor,
            operation,
            responses,
            counts: JSON.stringify(Object.fromEntries(counts)),
          })),
        ),
      ),

    addDrift: async (row: Tables['vendor_drifts']): Promise<void> => {
      await database.write((tx) =>
        tx
          .insertInto('vendor_drifts')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      )
    },

    drifts: (since: number): Promise<Tables['vendor_drifts'][]> =>
      database.read.selectFrom('vendor_drifts').selectAll().where('seen_at', '>=', since).orderBy('seen_at').execute(),

    deleteOld: async (before: number): Promise<void> => {
      await database.write((tx) => tx.deleteFrom('vendor_drifts').where('seen_at', '<', before).execute())
    },
  }
}
