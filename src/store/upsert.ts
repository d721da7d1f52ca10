import { CompiledQuery, type DialectAdapter, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { lruLimit } from '../lib/async/memoize.ts'
import { chunk } from '../lib/chunk.ts'
import { ROWS_AT_ONCE } from './batches.ts'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

const STATEMENTS_MAX = 200

/** Cached statements by database: kysely takes twice as long to build one as SQLite to run it. */
const statements = new WeakMap<DialectAdapter, LRUCache<string, string>>()

/** Inserts rows, or updates those with the same `keys`. */
export async function upsert<T extends keyof Tables>(
  tx: Tx,
  table: T,
  keys: readonly (keyof Tables[T] & string)[],
  rows: readonly Tables[T][],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  for (const part of chunk(rows, ROWS_AT_ONCE)) {
    const text = statementFor(tx, { table, keys, columns, rows: part.length })
    const values = part.flatMap((row) => columns.map((column): unknown => Reflect.get(row, column)))
    await tx.executeQuery(CompiledQuery.raw(text, values))
  }
}

type Shape = {
  readonly table: string
  readonly keys: readonly string[]
  readonly columns: readonly string[]
  readonly rows: number
}

function statementFor(tx: Tx, shape: Shape): string {
  const { adapter } = tx.getExecutor()
  const known = statements.get(adapter) ?? new LRUCache<string, string>(lruLimit(STATEMENTS_MAX))
  statements.set(adapter, known)
  const key = JSON.stringify(shape)
  const text = known.get(key) ?? writeStatement(tx, shape)
  known.set(key, text)
  return text
}

function writeStatement(tx: Tx, { table, keys, columns, rows }: Shape): string {
  const newValues = columns
    .filter((column) => !keys.includes(column))
    .map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  const row = sql`(${sql.join(columns.map(() => null))})`
  return sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(Array.from({ length: rows }, () => row))}
    on conflict (${sql.join(keys.map((key) => sql.ref(key)))}) do update set ${sql.join(newValues)}`.compile(tx).sql
}
