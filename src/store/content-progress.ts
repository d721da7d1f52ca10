import type { Database } from './database.ts'
import type { ContentAreaRow, ContentFeedRow } from './tables.ts'

export type ContentProgressStore = ReturnType<typeof createContentProgressStore>

/** Which parts of the earth and how much of which feed have been read. */
export function createContentProgressStore(database: Database) {
  return {
    async areas(vendorId: string, keys: readonly string[]): Promise<ContentAreaRow[]> {
      if (keys.length === 0) return []
      return database.read
        .selectFrom('content_areas')
        .selectAll()
        .where('vendor_id', '=', vendorId)
        .where('area_key', 'in', keys)
        .execute()
    },

    async putAreas(vendorId: string, keys: readonly string[], syncedAt: number): Promise<void> {
      if (keys.length === 0) return
      await database.write((tx) =>
        tx
          .insertInto('content_areas')
          .values(keys.map((key) => ({ vendor_id: vendorId, area_key: key, synced_at: syncedAt })))
          .onConflict((conflict) =>
            conflict
              .columns(['vendor_id', 'area_key'])
              .doUpdateSet((eb) => ({ synced_at: eb.ref('excluded.synced_at') })),
          )
          .execute(),
      )
    },

    async feed(vendorId: string, since: string): Promise<ContentFeedRow | undefined> {
      return database.read
        .selectFrom('content_feeds')
        .selectAll()
        .where('vendor_id', '=', vendorId)
        .where('since', '=', since)
        .executeTakeFirst()
    },

    async putFeed(row: ContentFeedRow): Promise<void> {
      const { vendor_id: _vendor, since: _since, ...progress } = row
      await database.write((tx) =>
        tx
          .insertInto('content_feeds')
          .values(row)
          .onConflict((conflict) => conflict.columns(['vendor_id', 'since']).doUpdateSet(progress))
          .execute(),
      )
    },
  }
}
