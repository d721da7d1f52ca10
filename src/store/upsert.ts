import { sql } from 'kysely'
import { partsOf } from '../lib/parts.ts'
import { ROWS_AT_ONCE } from './at-once.ts'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** Inserts rows; where one with the same `keys` is there, its other columns take the new values, unless `onlyIf` is false. */
export async function upsert<T extends keyof Tables>(
  tx: Tx,
  table: T,
  keys: readonly (keyof Tables[T] & string)[],
  rows: readonly Tables[T][],
  onlyIf = sql<boolean>`true`,
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const newValues = columns
    .filter((column) => !keys.some((key) => key === column))
    .map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  for (const part of partsOf(rows, ROWS_AT_ONCE)) {
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(part.map((row) => valuesOf(row, columns)))}
      on conflict (${sql.join(keys.map((key) => sql.ref(key)))}) do update set ${sql.join(newValues)}
      where ${onlyIf}`.execute(tx)
  }
}

function valuesOf(row: object, columns: readonly string[]) {
  const values = new Map(Object.entries(row))
  return sql`(${sql.join(columns.map((column) => values.get(column)))})`
}
