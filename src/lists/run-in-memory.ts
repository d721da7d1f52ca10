import { createMatcher, type ReadField } from './match-filters.ts'
import { countedMeta, cursorMeta, type ListPage, toOffset } from './meta.ts'
import {
  type CountedPaging,
  type CursorPaging,
  type CursorValues,
  isCursorPaging,
  type ListPlan,
  type OrderTerm,
  RANK,
} from './plan.ts'
import { compareValues, type ListValue, type ReadRow, readOwnField, rowValue } from './values.ts'
import { runAtOnce, runInSlices } from './work.ts'

/** An array, or anything else with a length and a slice. */
export type Rows<T> = { readonly length: number; slice(start?: number, end?: number): readonly T[] }

/** Records processed between two pauses. */
const PAUSE_ROWS = 32

/** A record with its index in the source and its sort key. */
type Placed<T> = { readonly row: T; readonly place: number; readonly key: readonly ListValue[] }

/** Without filters and order, only slices the page out of `source`. */
export const runInMemory = <T>(plan: ListPlan, source: Rows<T>, readRow: ReadRow<T> = readOwnField): ListPage<T> =>
  runAtOnce(steps(plan, source, readRow))

/** Like `runInMemory`, but yields to the event loop between slices. */
export const runInMemorySlices = <T>(plan: ListPlan, source: Rows<T>, readRow: ReadRow<T>): Promise<ListPage<T>> =>
  runInSlices(steps(plan, source, readRow))

/** Work that can pause between records. */
type Steps<T> = Generator<void, T>

function* steps<T>(plan: ListPlan, source: Rows<T>, readRow: ReadRow<T>): Steps<ListPage<T>> {
  const { paging, definition } = plan
  const readFields: ReadFields<T> = (row) => (name) => {
    const field = definition.fields.get(name)
    return field === undefined ? null : rowValue(field, readRow(row, name))
  }
  const keepsOrder = plan.ranked || plan.order.length === 0
  if (isCursorPaging(paging)) {
    return yield* keepsOrder
      ? rankedPage(plan, paging, source, readFields)
      : orderedPage(plan, paging, source, readFields)
  }
  if (keepsOrder && plan.filters.length === 0) return countedPage(paging, source)
  const arranged = yield* arrange(plan, source, readFields)
  return countedPage(
    paging,
    arranged.map(({ row }) => row),
  )
}

type ReadFields<T> = (row: T) => ReadField

function countedPage<T>(paging: CountedPaging, rows: Rows<T>): ListPage<T> {
  const offset = toOffset(paging)
  const end = paging.size === null ? rows.length : Math.min(offset + paging.size, rows.length)
  const data = offset >= rows.length ? [] : [...rows.slice(offset, end)]
  return { data, meta: countedMeta(paging, rows.length) }
}

/** Filters and sorts. Indices are those of the source, so that ties keep them and ranked cursors work. */
function* arrange<T>(plan: ListPlan, source: Rows<T>, readFields: ReadFields<T>): Steps<Placed<T>[]> {
  yield
  const matches = createMatcher(plan)
  const order = plan.ranked ? [] : plan.order
  const placed: Placed<T>[] = []
  for (const [place, row] of source.slice().entries()) {
    const read = readFields(row)
    if (matches(read)) placed.push({ row, place, key: order.map(({ field }) => read(field)) })
    if (place % PAUSE_ROWS === 0) yield
  }
  if (order.length > 0) placed.sort((a, b) => compareKeys(order, a.key, b.key))
  return placed
}

function* orderedPage<T>(
  plan: ListPlan,
  paging: CursorPaging,
  source: Rows<T>,
  readFields: ReadFields<T>,
): Steps<ListPage<T>> {
  const all = yield* arrange(plan, source, readFields)
  const { cursor } = paging
  // Ignores the tiebreaker if the cursor lacks it.
  const terms = plan.order.filter(({ field }) => cursor?.has(field))
  const place = terms.map(({ field }) => cursor?.get(field) ?? null)
  const side = paging.type === 'first' ? 1 : -1
  const beyond =
    cursor === undefined ? all : all.filter(({ key }) => Math.sign(compareKeys(terms, key, place)) === side)
  return takePage(plan, paging, beyond, ({ key }) => {
    return new Map(plan.order.map(({ field }, position) => [field, key[position] ?? null]))
  })
}

/** Pages through a ranking: the cursor is an index, verified by the tiebreaker. */
function* rankedPage<T>(
  plan: ListPlan,
  paging: CursorPaging,
  source: Rows<T>,
  readFields: ReadFields<T>,
): Steps<ListPage<T>> {
  const { size, cursor } = paging
  const forward = paging.type === 'first'
  const { after, before } = cursor === undefined ? UNBOUNDED : aroundCursor(plan, source, readFields, cursor)
  const [low, high] = forward ? [after, source.length] : [0, Math.min(before, source.length)]
  const beyond =
    plan.filters.length === 0
      ? sliceSource(source, forward ? low : Math.max(low, high - size - 1), forward ? low + size + 1 : high)
      : (yield* arrange(plan, source, readFields)).filter(({ place }) => place >= low && place < high)
  return takePage(plan, paging, beyond, (record) => rankCursor(plan, readFields, record))
}

/** `beyond` has at least one record more than requested if there are that many. */
function takePage<T>(
  plan: ListPlan,
  paging: CursorPaging,
  beyond: readonly Placed<T>[],
  toCursor: (record: Placed<T>) => CursorValues,
): ListPage<T> {
  const { type, size } = paging
  const page = type === 'first' ? beyond.slice(0, size) : beyond.slice(-size)
  const [first] = page
  const last = page.at(-1)
  const cursors = { start: first && toCursor(first), end: last && toCursor(last) }
  return {
    data: page.map(({ row }) => row),
    meta: cursorMeta(plan, paging, { more: beyond.length > size, ...cursors }),
  }
}

const UNBOUNDED = { after: 0, before: Number.MAX_SAFE_INTEGER }

function sliceSource<T>(source: Rows<T>, start: number, end: number): Placed<T>[] {
  return source.slice(start, end).map((row, index) => ({ row, place: start + index, key: [] }))
}

function rankCursor<T>(plan: ListPlan, readFields: ReadFields<T>, { row, place }: Placed<T>): CursorValues {
  const { tiebreaker } = plan.definition
  const values = new Map<string, ListValue>([[RANK, place]])
  if (tiebreaker !== undefined) values.set(tiebreaker, readFields(row)(tiebreaker))
  return values
}

/** Bounds of the pages around the cursor. Searches for a record that has moved; if it is gone, its successor has its index. */
function aroundCursor<T>(
  { definition: { tiebreaker } }: ListPlan,
  source: Rows<T>,
  readFields: ReadFields<T>,
  cursor: CursorValues,
): { after: number; before: number } {
  const place = Math.max(0, Number(cursor.get(RANK) ?? 0))
  if (tiebreaker === undefined || !cursor.has(tiebreaker)) return { after: place + 1, before: place }
  const wanted = cursor.get(tiebreaker) ?? null
  const isCursorRow = (row: T) => sameValue(readFields(row)(tiebreaker), wanted)
  if (source.slice(place, place + 1).some(isCursorRow)) return { after: place + 1, before: place }
  const moved = source.slice().findIndex(isCursorRow)
  return moved < 0 ? { after: place, before: place } : { after: moved + 1, before: moved }
}

const sameValue = (a: ListValue, b: ListValue) => a !== null && b !== null && compareValues(a, b) === 0

/** Plain loops: sorting calls this often, and iterators would cost more than the comparison. */
function compareKeys(order: readonly OrderTerm[], a: readonly ListValue[], b: readonly ListValue[]): number {
  for (let position = 0; position < order.length; position++) {
    const term = order[position]
    const result = term === undefined ? 0 : compareTerm(term, a[position] ?? null, b[position] ?? null)
    if (result !== 0) return result
  }
  return 0
}

function compareTerm({ descending, nullsFirst }: OrderTerm, a: ListValue, b: ListValue): number {
  if (a === null || b === null) {
    if (a === b) return 0
    return (a === null) === nullsFirst ? -1 : 1
  }
  const ascending = compareValues(a, b)
  return descending ? -ascending : ascending
}
