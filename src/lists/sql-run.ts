import { type SelectQueryBuilder, sql } from 'kysely'
import type { ListValue } from './cast-value.ts'
import { partsOf } from './definition.ts'
import { countedMeta, cursorMeta, type ListPage, offsetOf } from './meta.ts'
import {
  type CountedPaging,
  type CursorPaging,
  isCursorPaging,
  type ListPlan,
  type OrderTerm,
  reversed,
} from './plan.ts'
import { type BoundColumn, bindColumn, type SqlColumns, type SqlDialect } from './sql-column.ts'
import { filterCondition } from './sql-filter.ts'
import { orderExpression, seekCondition } from './sql-seek.ts'

export type SqlSource<DB, TB extends keyof DB, Row> = {
  readonly dialect: SqlDialect
  /** What to select and from where, with the conditions that always hold; no order, limit, grouping or `distinct`. */
  readonly query: SelectQueryBuilder<DB, TB, Row>
  /** Where each field of the list is kept. */
  readonly columns: SqlColumns
}

/** Runs a plan in the database: one page of it, and a count where the paging type asks for one. */
export async function runOnSql<DB, TB extends keyof DB, Row>(
  plan: ListPlan,
  source: SqlSource<DB, TB, Row>,
): Promise<ListPage<Row>> {
  if (plan.ranked) throw new Error('a ranked list is an order of records in memory; a database does not know it')
  const columns = bindColumns(plan, source)
  const filtered = plan.filters.reduce((query, { field, test }) => {
    const parts = partsOf(plan.definition, field).map(columns)
    return query.where(filterCondition(source.dialect, parts, test))
  }, source.query)
  const { paging } = plan
  return isCursorPaging(paging)
    ? cursorPage(plan, paging, filtered, columns)
    : countedPage(plan, paging, filtered, columns)
}

type ColumnOf = (field: string) => BoundColumn

function bindColumns<DB, TB extends keyof DB, Row>(
  { definition }: ListPlan,
  { dialect, columns }: SqlSource<DB, TB, Row>,
): ColumnOf {
  return (name) => {
    const field = definition.fields.get(name)
    const at = columns[name]
    if (field === undefined || at === undefined) throw new Error(`list field ${name} has no column`)
    return bindColumn(dialect, field, at, name === definition.tiebreaker)
  }
}

async function countedPage<DB, TB extends keyof DB, Row>(
  plan: ListPlan,
  paging: CountedPaging,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  columns: ColumnOf,
): Promise<ListPage<Row>> {
  const count = sql<number | string | bigint>`count(*)`.as('list_count')
  const counted: readonly object[] = await filtered.clearSelect().select(count).execute()
  const total = Number(Reflect.get(counted[0] ?? {}, 'list_count') ?? 0)
  const meta = countedMeta(paging, total)
  const offset = offsetOf(paging)
  if (offset >= total) return { data: [], meta }
  const ordered = orderBy(filtered, plan.order, columns)
  const page = paging.size === null ? ordered : ordered.limit(paging.size).offset(offset)
  return { data: await page.execute(), meta }
}

/** One record more than asked for tells whether there is a further page. Backwards, the order is turned round twice. */
async function cursorPage<DB, TB extends keyof DB, Row>(
  plan: ListPlan,
  paging: CursorPaging,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  columns: ColumnOf,
): Promise<ListPage<Row>> {
  const { size, cursor } = paging
  const forward = paging.type === 'first'
  const order = forward ? plan.order : reversed(plan.order)
  const terms = order.map((term) => ({ term, column: columns(term.field) }))
  const sought = cursor === undefined ? filtered : filtered.where(seekCondition(terms, cursor))
  const keys = terms.map(({ column }, index) => sql<unknown>`${column.sortable}`.as(keyName(index)))
  const found = await orderBy(sought, order, columns)
    .select(keys)
    .limit(size + 1)
    .execute()
  const page = found.slice(0, size)
  if (!forward) page.reverse()
  const cursorOf = (row: Row | undefined) =>
    row &&
    new Map<string, ListValue>(
      terms.map(({ term, column }, index) => [term.field, column.decode(Reflect.get(row, keyName(index)))]),
    )
  return {
    data: page.map((row) => withoutKeys(row, terms.length)),
    meta: cursorMeta(plan, paging, { more: found.length > size, start: cursorOf(page[0]), end: cursorOf(page.at(-1)) }),
  }
}

const keyName = (index: number) => `list_key_${index}`

function withoutKeys<Row>(row: Row, count: number): Row {
  const copy = { ...row }
  for (let index = 0; index < count; index++) Reflect.deleteProperty(copy as object, keyName(index))
  return copy
}

function orderBy<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: readonly OrderTerm[],
  columns: ColumnOf,
): SelectQueryBuilder<DB, TB, Row> {
  return order.reduce((q, term) => q.orderBy(orderExpression({ term, column: columns(term.field) })), query)
}
