import type { Compilable, CompiledQuery, QueryExecutorProvider } from 'kysely'

type Values = Readonly<Record<string, unknown>>

/** Stands in a query where a value goes that differs each time it is run. */
type Slot = { readonly slot: string }

/**
 * Building a query takes several times as long as SQLite takes to run it. This one is built once, at its first use, and
 * only bound to other values after that; so its shape may depend on the names of the values, never on the values. For a
 * query that runs with every request, on one database.
 */
export function prepare<Db extends QueryExecutorProvider, V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined
  return async function run(db, values) {
    compiled ??= build(db, slotsFor(values)).compile()
    const parameters = compiled.parameters.map((parameter) =>
      isSlot(parameter) ? valueAt(values, parameter) : parameter,
    )
    const { rows } = await db.getExecutor().executeQuery<Row>({ ...compiled, parameters })
    return rows
  }
}

const slotsFor = <V extends Values>(values: V): V =>
  Object.fromEntries(Object.keys(values).map((name): [string, Slot] => [name, { slot: name }])) as V

const isSlot = (parameter: unknown): parameter is Slot =>
  typeof parameter === 'object' && parameter !== null && 'slot' in parameter

function valueAt(values: Values, { slot }: Slot): unknown {
  const value = values[slot]
  if (value === undefined) throw new Error(`a prepared query was not given ${slot}`)
  return value
}
