import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { expandCompound } from '../definition.ts'
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

/** SQLite runs on this thread; this many tests take a few milliseconds. */
const SLICE_TESTS = 10_000

/** Applies all filters. On SQLite a long text search would block the event loop, so it runs in slices that collect keys. */
export async function filteredQuery<DB, TB extends keyof DB, Row>(
  { definition, filters }: ListPlan,
  source: Source<DB, TB, Row>,
  charge: Charge,
): Promise<SelectQueryBuilder<DB, TB, Row>> {
  type Query = SelectQueryBuilder<DB, TB, Row>
  const filtered = (query: Query, by: readonly PlannedFilter[]): Query =>
    by.reduce((builder, { field, test }) => {
      const parts = expandCompound(definition, field).map(source.columns)
      return builder.where(filterCondition(source.dialect, parts, test))
    }, query)
  const words = filters.filter(({ test }) => test.kind === 'text')
  const rest = filtered(
    source.query,
    filters.filter((filter) => !words.includes(filter)),
  )
  if (words.length === 0) return rest
  const tests = testsPerRow({ filters: words })
  const rows = await countRows(rest)
  await charge(rows * tests)
  const { tiebreaker } = definition
  const isShort = source.dialect === 'postgres' || rows * tests <= SLICE_TESTS
  if (isShort || tiebreaker === undefined) return filtered(rest, words)

  const key = source.columns(tiebreaker)
  const isIn = (keys: readonly ListValue[]) => sql<SqlBool>`${key.equatable} in ${key.bindAll(keys)}`
  const keys = await selectKeys(rest, key)
  const found: ListValue[] = []
  const size = Math.max(1, Math.floor(SLICE_TESTS / tests))
  for (let start = 0; start < keys.length; start += size) {
    found.push(...(await selectKeys(filtered(source.query.where(isIn(keys.slice(start, start + size))), words), key)))
    await nextTurn()
  }
  return source.query.where(isIn(found))
}

async function selectKeys<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  { ref }: BoundColumn,
): Promise<ListValue[]> {
  const found: readonly object[] = await query.clearSelect().select(sql`${ref}`.as('list_key')).execute()
  return found.map((row) => Reflect.get(row, 'list_key'))
}

export async function countRows<DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const count = sql<number | string | bigint>`count(*)`.as('list_count')
  const counted: readonly object[] = await query.clearSelect().select(count).execute()
  return Number(Reflect.get(counted[0] ?? {}, 'list_count') ?? 0)
}
