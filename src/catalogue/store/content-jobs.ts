import type { Database } from '../../store/database.ts'
import type { ContentJobRow } from '../../store/tables/content.ts'

export type ContentJobStore = ReturnType<typeof createContentJobStore>
type ContentCounts = { vendor_id: string; properties: number; dropped: number; rooms_unread: number }

/** Which process keeps which vendor's content fresh, and how far it has come. */
export function createContentJobStore(database: Database) {
  return {
    all: (): Promise<ContentJobRow[]> => database.read.selectFrom('content_jobs').selectAll().execute(),

    /** The vendor's row, if no other process works on it. One statement, so that of several that ask together one gets it. */
    claim: (vendorId: string, owner: string, now: number, leaseUntil: number): Promise<ContentJobRow | undefined> =>
      database.write((tx) =>
        tx
          .insertInto('content_jobs')
          .values({ ...newRow(vendorId), owner, lease_until: leaseUntil })
          .onConflict((conflict) =>
            conflict
              .column('vendor_id')
              .doUpdateSet({ owner, lease_until: leaseUntil })
              .where((eb) => eb.or([eb('content_jobs.owner', '=', owner), eb('content_jobs.lease_until', '<=', now)])),
          )
          .returningAll()
          .executeTakeFirst(),
      ),

    /** Saves how far it has come; false if another process has taken over meanwhile. */
    async save(row: ContentJobRow): Promise<boolean> {
      const { numUpdatedRows } = await database.write((tx) =>
        tx
          .updateTable('content_jobs')
          .set(row)
          .where('vendor_id', '=', row.vendor_id)
          .where('owner', '=', row.owner)
          .executeTakeFirst(),
      )
      return numUpdatedRows > 0n
    },

    /** How many properties of each vendor there are. Looks at all of them. */
    async counts(): Promise<ContentCounts[]> {
      const rows = await database.read
        .selectFrom('vendor_properties')
        .select((eb) => [
          'vendor_id',
          eb.fn.countAll<number | string>().as('all'),
          eb.fn.count<number | string>('dropped_at').as('dropped'),
          eb.fn.count<number | string>('rooms_unread').as('unread'),
        ])
        .groupBy('vendor_id')
        .execute()
      return rows.map(({ vendor_id, all, dropped, unread }) => ({
        vendor_id,
        properties: Number(all) - Number(dropped),
        dropped: Number(dropped),
        rooms_unread: Number(unread),
      }))
    },
  }
}

const newRow = (vendorId: string): ContentJobRow => ({
  vendor_id: vendorId,
  owner: '',
  lease_until: 0,
  requests_day: '',
  requests: 0,
  full_at: null,
  fresh_at: null,
  next_area: 0,
  dropped: 0,
  retry_at: null,
  failure: null,
})
