import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'
import { upsert } from '../../store/upsert.ts'

/** `reachKm`: radius that was read, if not all of the area. */
type ReadArea = { readonly key: string; readonly reachKm?: number | undefined }

export type ContentProgressStore = ReturnType<typeof createContentProgressStore>

/** Progress of reading areas and feeds. */
export function createContentProgressStore(database: Database) {
  return {
    async areas(vendorId: string, keys: readonly string[]): Promise<Tables['content_areas'][]> {
      if (keys.length === 0) return []
      return database.read
        .selectFrom('content_areas')
        .selectAll()
        .where('vendor_id', '=', vendorId)
        .where('area_key', 'in', keys)
        .execute()
    },

    async putAreas(vendorId: string, areas: readonly ReadArea[], syncedAt: number): Promise<void> {
      const rows = areas.map(({ key, reachKm = null }) => ({
        vendor_id: vendorId,
        area_key: key,
        synced_at: syncedAt,
        reach_km: reachKm,
      }))
      await database.write((tx) => upsert(tx, 'content_areas', ['vendor_id', 'area_key'], rows))
    },

    feeds: (): Promise<Tables['content_feeds'][]> => database.read.selectFrom('content_feeds').selectAll().execute(),

    async feed(vendorId: string, since: string): Promise<Tables['content_feeds'] | undefined> {
      return database.read
        .selectFrom('content_feeds')
        .selectAll()
        .where('vendor_id', '=', vendorId)
        .where('since', '=', since)
        .executeTakeFirst()
    },

    putFeed: (row: Tables['content_feeds']): Promise<void> =>
      database.write((tx) => upsert(tx, 'content_feeds', ['vendor_id', 'since'], [row])),
  }
}
