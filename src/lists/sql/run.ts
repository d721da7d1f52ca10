import { type SelectQueryBuilder, sql } from 'kysely'
import { countedMeta, cursorMeta, type ListPage, toOffset } from '../meta.ts'
import { type CountedPaging, type CursorPaging, isCursorPaging, type ListPlan } from '../plan.ts'
import type { ListValue } from '../values.ts'
import { type Charge, noCharge } from '../work.ts'
import { bindColumn, type SqlColumns, type SqlDialect } from './column.ts'
import { countRows, filteredQuery } from './filtered.ts'
import { orderExpression, reversed, type SeekTerm, seekCondition } from './seek.ts'

type SqlSource<DB, TB extends keyof DB, Row> = {
  readonly dialect: SqlDialect
  /** Selection with the conditions that always apply; no order, limit, grouping or `distinct`. */
  readonly query: SelectQueryBuilder<DB, TB, Row>
  /** Columns whose names differ from their fields. */
  readonly columns?: SqlColumns
}

/** Fetches one page, and a count if the paging type needs one. */
export async function runOnSql<DB, TB extends keyof DB, Row>(
  plan: ListPlan,
  source: SqlSource<DB, TB, Row>,
  charge: Charge = noCharge,
): Promise<ListPage<Row>> {
  if (plan.ranked) throw new Error('A ranked list exists only in memory and cannot run on SQL.')
  const columns = (name: string) => {
    const field = plan.definition.fields.get(name)
    if (field === undefined) throw new Error(`${name} is not a field of the list`)
    return bindColumn(source.dialect, field, source.columns?.[name] ?? name, name === plan.definition.tiebreaker)
  }
  const filtered = await filteredQuery(plan, { ...source, columns }, charge)
  const { paging } = plan
  const terms = plan.order.map((term) => ({ term, column: columns(term.field) }))
  return isCursorPaging(paging) ? cursorPage(plan, paging, filtered, terms) : countedPage(paging, filtered, terms)
}

async function countedPage<DB, TB extends keyof DB, Row>(
  paging: CountedPaging,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  terms: readonly SeekTerm[],
): Promise<ListPage<Row>> {
  const total = await countRows(filtered)
  const meta = countedMeta(paging, total)
  const offset = toOffset(paging)
  if (offset >= total) return { data: [], meta }
  const ordered = orderBy(filtered, terms)
  const page = paging.size === null ? ordered : ordered.limit(paging.size).offset(offset)
  return { data: await page.execute(), meta }
}

/** Fetches one extra record to see if there is another page. Backwards, reverses the order twice. */
async function cursorPage<DB, TB extends keyof DB, Row>(
  plan: ListPlan,
  paging: CursorPaging,
  filtered: SelectQueryBuilder<DB, TB, Row>,
  inOrder: readonly SeekTerm[],
): Promise<ListPage<Row>> {
  const { size, cursor } = paging
  const forward = paging.type === 'first'
  const terms = forward ? inOrder : inOrder.map(reversed)
  const sought = cursor === undefined ? filtered : filtered.where(seekCondition(terms, cursor))
  const keys = terms.map(({ column }, index) => sql<unknown>`${column.sortable}`.as(keyName(index)))
  const found = await orderBy(sought, terms)
    .select(keys)
    .limit(size + 1)
    .execute()
  const page = found.slice(0, size)
  if (!forward) page.reverse()
  const toCursor = (row: Row | undefined) =>
    row &&
    new Map<string, ListValue>(
      terms.map(({ term, column }, index) => [term.field, column.decode(Reflect.get(row, keyName(index)))]),
    )
  return {
    data: page.map((row) => withoutKeys(row, terms.length)),
    meta: cursorMeta(plan, paging, { more: found.length > size, start: toCursor(page[0]), end: toCursor(page.at(-1)) }),
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
  terms: readonly SeekTerm[],
): SelectQueryBuilder<DB, TB, Row> {
  return terms.reduce((ordered, term) => ordered.orderBy(orderExpression(term)), query)
}
