import type { Database } from './database.ts'
import type { RequestRow } from './monitoring-tables.ts'

export type RequestStore = ReturnType<typeof createRequestStore>

/** So many are shown of one request id; a client could use the same for everything. */
const SHOWN_MAX = 100

/** What was called. */
export function createRequestStore(database: Database) {
  return {
    /** At most a few hundred rows: databases limit the number of values in one statement. */
    add: (rows: readonly RequestRow[]): Promise<void> =>
      database.write(async (tx) => void (await tx.insertInto('requests').values(rows).execute())),

    /** Newest first. */
    byRequestId: (requestId: string): Promise<RequestRow[]> =>
      database.read
        .selectFrom('requests')
        .selectAll()
        .where('request_id', '=', requestId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),

    /** A query for all, to be filtered, ordered and paged by the caller. */
    listing: () => ({
      dialect: database.dialect,
      query: database.read.selectFrom('requests').selectAll(),
      columns: LISTED,
    }),

    /** Returns how many were deleted, at most `most`. */
    deleteExpired: (now: number, most = 1_000): Promise<number> =>
      database.write(async (tx) => {
        const old = tx.selectFrom('requests').select('id').where('expires_at', '<', now).limit(most)
        const { numDeletedRows } = await tx.deleteFrom('requests').where('id', 'in', old).executeTakeFirst()
        return Number(numDeletedRows)
      }),
  }
}

const LISTED = {
  id: 'id',
  request_id: 'request_id',
  at: 'at',
  operation: 'operation',
  method: 'method',
  status: 'status',
  code: 'code',
  took_ms: 'took_ms',
  account_id: 'account_id',
  key_id: 'key_id',
  simulated: 'simulated',
  search_id: 'search_id',
  booking_id: 'booking_id',
} as const
