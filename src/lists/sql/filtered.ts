import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { partsOf } from '../definition.ts'
import type { PlannedFilter } from '../filter-test.ts'
import type { ListPlan } from '../plan.ts'
import type { ListValue } from '../values.ts'
import { type Charge, nextTurn, testsPerRow } from '../work.ts'
import type { BoundColumn, SqlDialect } from './column.ts'
import { filterCondition } from './filter.ts'

type Source<DB, TB extends keyof DB, Row> = {
  readonly dialect: SqlDialect
  readonly query: SelectQueryBuilder<DB, TB, Row>
  columns(field: string): BoundColumn
}

/** SQLite looks for words on our own thread: so many tests take some milliseconds. */
const SLICE_TESTS = 10_000

/**
 * All filters as conditions. Looking for words in many records would keep everybody waiting where the database is in this
 * process: then it is done in slices, and what was found is named by its key.
 */
export async function filteredQuery<DB, TB extends keyof DB, Row>(
  { definition, filters }: ListPlan,
  source: Source<DB, TB, Row>,
  charge: Charge,
): Promise<SelectQueryBuilder<DB, TB, Row>> {
  type Query = SelectQueryBuilder<DB, TB, Row>
  const filtered = (query: Query, by: readonly PlannedFilter[]): Query =>
    by.reduce((one, { field, test }) => {
      const parts = partsOf(definition, field).map(source.columns)
      return one.where(filterCondition(source.dialect, parts, test))
    }, query)
  const words = filters.filter(({ test }) => test.kind === 'text')
  const rest = filtered(
    source.query,
    filters.filter((filter) => !words.includes(filter)),
  )
  if (words.length === 0) return rest
  const tests = testsPerRow({ filters: words })
  const rows = await countOf(rest)
  await charge(rows * tests)
  const { tiebreaker } = definition
  const isShort = source.dialect === 'postgres' || rows * tests <= SLICE_TESTS
  if (isShort || tiebreaker === undefined) return filtered(rest, words)

  const key = source.columns(tiebreaker)
  const isIn = (keys: readonly ListValue[]) => sql<SqlBool>`${key.equatable} in ${key.bindAll(keys)}`
  const keys = await keysOf(rest, key)
  const found: ListValue[] = []
  const size = Math.max(1, Math.floor(SLICE_TESTS / tests))
  for (let at = 0; at < keys.length; at += size) {
    found.push(...(await keysOf(filtered(source.query.where(isIn(keys.slice(at, at + size))), words), key)))
    await nextTurn()
  }
  return source.query.where(isIn(found))
}

async function keysOf<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { ref }: BoundColumn,
): Promise<ListValue[]> {
  const found: readonly object[] = await query.clearSelect().select(sql`${ref}`.as('list_key')).execute()
  return found.map((row) => Reflect.get(row, 'list_key'))
}

export async function countOf<DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const count = sql<number | string | bigint>`count(*)`.as('list_count')
  const counted: readonly object[] = await query.clearSelect().select(count).execute()
  return Number(Reflect.get(counted[0] ?? {}, 'list_count') ?? 0)
}
