import { partsOf } from './upsert.ts'

/** Below the parameter limits of both databases, with room to spare. */
export const IDS_AT_ONCE = 5_000

/** Reads rows by a long list of keys, as many at once as both databases take. */
export async function inParts<T, R>(items: readonly T[], read: (part: T[]) => Promise<R[]>): Promise<R[]> {
  if (items.length === 0) return []
  if (items.length <= IDS_AT_ONCE) return read([...items])
  const rows: R[] = []
  for (const part of partsOf(items, IDS_AT_ONCE)) for (const row of await read(part)) rows.push(row)
  return rows
}
