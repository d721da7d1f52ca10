import { DELETED_AT_ONCE, deleteOld } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

export type RequestStore = ReturnType<typeof createRequestStore>

/** A client could use the same id for all its requests. */
const SHOWN_MAX = 100

export function createRequestStore(database: Database) {
  return {
    /** At most a few hundred rows: databases limit the number of parameters per statement. */
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

    /** Query for all requests; the caller adds filters, order and paging. */
    listing: () => ({ dialect: database.dialect, query: database.read.selectFrom('requests').selectAll() }),

    /** Deletes a batch and returns its size. Twice the usual size, because this is the largest table. */
    deleteExpired: (now: number): Promise<number> =>
      deleteOld(database, 'requests', { key: 'id', time: 'expires_at', before: now, most: 2 * DELETED_AT_ONCE }),
  }
}
