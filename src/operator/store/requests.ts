import { DELETED_AT_ONCE } from '../../store/at-once.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

export type RequestStore = ReturnType<typeof createRequestStore>

/** So many are shown of one request id; a client could use the same for everything. */
const SHOWN_MAX = 100

/** What was called. */
export function createRequestStore(database: Database) {
  return {
    /** At most a few hundred rows: databases limit the number of values in one statement. */
    add: (rows: readonly Tables['requests'][]): Promise<void> =>
      database.write(async (tx) => void (await tx.insertInto('requests').values(rows).execute())),

    /** Newest first. */
    byRequestId: (requestId: string): Promise<Tables['requests'][]> =>
      database.read
        .selectFrom('requests')
        .selectAll()
        .where('request_id', '=', requestId)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),

    /** A query for all, to be filtered, ordered and paged by the caller. */
    listing: () => ({ dialect: database.dialect, query: database.read.selectFrom('requests').selectAll() }),

    /** Deletes some of them; returns how many. There are more of these than of anything else, so twice as many at once. */
    deleteExpired: (now: number): Promise<number> =>
      database.write(async (tx) => {
        const old = tx
          .selectFrom('requests')
          .select('id')
          .where('expires_at', '<', now)
          .limit(2 * DELETED_AT_ONCE)
        const { numDeletedRows } = await tx.deleteFrom('requests').where('id', 'in', old).executeTakeFirst()
        return Number(numDeletedRows)
      }),
  }
}
