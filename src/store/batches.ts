import { sql } from 'kysely'
import { chunk } from '../lib/chunk.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** Well below the parameter limits of both databases. */
export const ROWS_AT_ONCE = 200
export const IDS_AT_ONCE = 5_000

/** Maximum rows deleted in one transaction, so that others can write in between. */
export const DELETED_AT_ONCE = 500

type Old<T extends keyof Tables> = {
  /** Column that identifies a row. */
  readonly key: keyof Tables[T] & string
  readonly time: keyof Tables[T] & string
  readonly before: number
  readonly most?: number
}

/** Deletes a batch of rows, oldest first; returns its size. */
export const deleteOld = <T extends keyof Tables>(
  database: Database,
  table: T,
  { key, time, before, most = DELETED_AT_ONCE }: Old<T>,
): Promise<number> =>
  database.write(async (tx) => {
    const [rows, id, at] = [sql.table(table), sql.ref(key), sql.ref(time)]
    const deleted = await sql`delete from ${rows} where ${id} in (
      select ${id} from ${rows} where ${at} < ${before} order by ${at} limit ${most})`.execute(tx)
    return Number(deleted.numAffectedRows)
  })

/** Reads rows by a long list of keys in batches. */
export async function readInBatches<T, R>(
  items: readonly T[],
  read: (part: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  if (items.length <= IDS_AT_ONCE) return items.length === 0 ? [] : read(items)
  const rows: R[] = []
  for (const part of chunk(items, IDS_AT_ONCE)) for (const row of await read(part)) rows.push(row)
  return rows
}
