import { chunk } from '../lib/chunk.ts'

/** Well below the parameter limits of both databases. */
export const ROWS_AT_ONCE = 200
export const IDS_AT_ONCE = 5_000

/** Maximum rows deleted in one transaction, so that others can write in between. */
export const DELETED_AT_ONCE = 500

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
