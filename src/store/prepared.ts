import type { Compilable, CompiledQuery, DialectAdapter, QueryExecutorProvider } from 'kysely'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

type Values = Readonly<Record<string, unknown>>

/** Placeholder for a value that is bound at each run. */
type Slot = { readonly slot: string }

/**
 * Compiles a query once per database, because kysely takes several times as long to build it as SQLite to run it. The query may
 * depend on the names of the values, never on the values.
 */
export function prepare<Db extends QueryExecutorProvider, V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  const compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>()
  return async function run(db, values) {
    const executor = db.getExecutor()
    const query = compiled.get(executor.adapter) ?? build(db, slotsFor(values)).compile()
    compiled.set(executor.adapter, query)
    const parameters = query.parameters.map((parameter) =>
      isSlot(parameter) ? readValue(values, parameter) : parameter,
    )
    const { rows } = await executor.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

/** Inserts rows in one statement, compiled once for each number of rows. All rows name their columns in the same order. */
export function prepareInsert<T extends keyof Tables>(table: T): (tx: Tx, rows: readonly Tables[T][]) => Promise<void> {
  const compiled = new WeakMap<DialectAdapter, Map<number, CompiledQuery>>()
  return async function insert(tx, rows) {
    const executor = tx.getExecutor()
    const bySize = compiled.get(executor.adapter) ?? new Map<number, CompiledQuery>()
    compiled.set(executor.adapter, bySize)
    const query = bySize.get(rows.length) ?? tx.insertInto<keyof Tables>(table).values(rows).compile()
    bySize.set(rows.length, query)
    await executor.executeQuery({ ...query, parameters: rows.flatMap((row) => Object.values(row)) })
  }
}

const slotsFor = <V extends Values>(values: V): V =>
  Object.fromEntries(Object.keys(values).map((name): [string, Slot] => [name, { slot: name }])) as V

const isSlot = (parameter: unknown): parameter is Slot =>
  typeof parameter === 'object' && parameter !== null && 'slot' in parameter

function readValue(values: Values, { slot }: Slot): unknown {
  const value = values[slot]
  if (value === undefined) throw new Error(`missing value for ${slot} in a prepared query`)
  return value
}
