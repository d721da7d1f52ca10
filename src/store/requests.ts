import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { RequestRow } from './monitoring-tables.ts'

export type RequestStore = ReturnType<typeof createRequestStore>

const TYPES = {
  id: 'text',
  request_id: 'text',
  at: 'bigint',
  operation: 'text',
  method: 'text',
  path: 'text',
  status: 'integer',
  code: 'text',
  took_ms: 'integer',
  account_id: 'text',
  key_id: 'text',
  simulated: 'integer',
  search_id: 'text',
  booking_id: 'text',
  expires_at: 'bigint',
} as const satisfies Record<keyof RequestRow, string>

const NAMES = Object.keys(TYPES)
const COLUMNS = sql.join(NAMES.map((name) => sql.ref(name)))
/** How each database reads rows out of one text. */
const FROM_JSON = {
  sqlite: (json: string) =>
    sql`select ${sql.join(NAMES.map((name) => sql`value ->> ${sql.lit(name)}`))} from json_each(${json})`,
  postgres: (json: string) =>
    sql`select ${COLUMNS} from json_to_recordset(${json}::json) as r (${sql.raw(
      Object.entries(TYPES)
        .map((column) => column.join(' '))
        .join(', '),
    )})`,
}

/** So many are shown of one request id; a client could use the same for everything. */
const SHOWN_MAX = 100

/** What was called. */
export function createRequestStore(database: Database) {
  return {
    /** One short statement, however many rows: building one with a placeholder for each value would take longer than running it. */
    async add(rows: readonly RequestRow[]): Promise<void> {
      if (rows.length === 0) return
      const values = FROM_JSON[database.dialect](JSON.stringify(rows))
      await database.write((tx) => sql`insert into requests (${COLUMNS}) ${values}`.execute(tx))
    },

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
