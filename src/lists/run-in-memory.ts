import { matcherOf, type ReadField } from './match-filters.ts'
import { countedMeta, cursorMeta, type ListPage, offsetOf } from './meta.ts'
import {
  type CountedPaging,
  type CursorPaging,
  type CursorValues,
  isCursorPaging,
  type ListPlan,
  type OrderTerm,
  RANK,
} from './plan.ts'
import { compareValues, type ListValue, type ReadRow, readProperty, rowValue } from './values.ts'
import { runAtOnce, runInSlices } from './work.ts'

/** Records in memory: an array, or anything else with a length and a slice. */
export type Rows<T> = { readonly length: number; slice(start?: number, end?: number): readonly T[] }

/** So many records are looked at between two offers to pause. */
const PAUSE_ROWS = 32

/** A record with its place in the source and what it is ordered by. */
type Placed<T> = { readonly row: T; readonly place: number; readonly key: readonly ListValue[] }

/**
 * Runs a plan over records in memory. With neither filters nor an order to apply, only the page itself is taken
 * from `rows`: nothing is copied, read or sorted.
 */
export const runInMemory = <T>(plan: ListPlan, source: Rows<T>, readRow: ReadRow<T> = readProperty): ListPage<T> =>
  runAtOnce(steps(plan, source, readRow))

/** The same, giving others their turn between slices of a long list. */
export const runInMemorySlices = <T>(plan: ListPlan, source: Rows<T>, readRow: ReadRow<T>): Promise<ListPage<T>> =>
  runInSlices(steps(plan, source, readRow))

/** Work that offers to pause between records. */
type Steps<T> = Generator<void, T>

function* steps<T>(plan: ListPlan, source: Rows<T>, readRow: ReadRow<T>): Steps<ListPage<T>> {
  const { paging, definition } = plan
  const readerOf: ReaderOf<T> = (row) => (name) => {
    const field = definition.fields.get(name)
    return field === undefined ? null : rowValue(field, readRow(row, name))
  }
  const asItComes = plan.ranked || plan.order.length === 0
  if (isCursorPaging(paging)) {
    return yield* asItComes ? rankedPage(plan, paging, source, readerOf) : orderedPage(plan, paging, source, readerOf)
  }
  if (asItComes && plan.filters.length === 0) return countedPage(paging, source)
  const arranged = yield* arrange(plan, source, readerOf)
  return countedPage(
    paging,
    arranged.map(({ row }) => row),
  )
}

type ReaderOf<T> = (row: T) => ReadField

function countedPage<T>(paging: CountedPaging, rows: Rows<T>): ListPage<T> {
  const offset = offsetOf(paging)
  const end = paging.size === null ? rows.length : Math.min(offset + paging.size, rows.length)
  const data = offset >= rows.length ? [] : [...rows.slice(offset, end)]
  return { data, meta: countedMeta(paging, rows.length) }
}

/** Filtered and ordered. Places are those in the source, so that ties keep them and a ranked cursor finds its way. */
function* arrange<T>(plan: ListPlan, source: Rows<T>, readerOf: ReaderOf<T>): Steps<Placed<T>[]> {
  yield
  const matches = matcherOf(plan)
  const order = plan.ranked ? [] : plan.order
  const placed: Placed<T>[] = []
  for (const [place, row] of source.slice().entries()) {
    const read = readerOf(row)
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
  readerOf: ReaderOf<T>,
): Steps<ListPage<T>> {
  const all = yield* arrange(plan, source, readerOf)
  const { cursor } = paging
  // A cursor may lack the tiebreaker, which ends the order; then it does not count.
  const terms = plan.order.filter(({ field }) => cursor?.has(field))
  const place = terms.map(({ field }) => cursor?.get(field) ?? null)
  const side = paging.type === 'first' ? 1 : -1
  const beyond =
    cursor === undefined ? all : all.filter(({ key }) => Math.sign(compareKeys(terms, key, place)) === side)
  return pageOf(plan, paging, beyond, ({ key }) => {
    return new Map(plan.order.map(({ field }, position) => [field, key[position] ?? null]))
  })
}

/** Paging through an order that exists only as the records' sequence: the cursor is the place, checked by the key. */
function* rankedPage<T>(
  plan: ListPlan,
  paging: CursorPaging,
  source: Rows<T>,
  readerOf: ReaderOf<T>,
): Steps<ListPage<T>> {
  const { size, cursor } = paging
  const forward = paging.type === 'first'
  const { after, before } = cursor === undefined ? EVERYWHERE : aroundCursor(plan, source, readerOf, cursor)
  const [low, high] = forward ? [after, source.length] : [0, Math.min(before, source.length)]
  const beyond =
    plan.filters.length === 0
      ? pieceOf(source, forward ? low : Math.max(low, high - size - 1), forward ? low + size + 1 : high)
      : (yield* arrange(plan, source, readerOf)).filter(({ place }) => place >= low && place < high)
  return pageOf(plan, paging, beyond, (at) => rankCursor(plan, readerOf, at))
}

/** The page out of the records beyond the cursor: at least one more than asked for, where there are as many. */
function pageOf<T>(
  plan: ListPlan,
  paging: CursorPaging,
  beyond: readonly Placed<T>[],
  cursorOf: (at: Placed<T>) => CursorValues,
): ListPage<T> {
  const { type, size } = paging
  const page = type === 'first' ? beyond.slice(0, size) : beyond.slice(-size)
  const [first] = page
  const last = page.at(-1)
  const cursors = { start: first && cursorOf(first), end: last && cursorOf(last) }
  return {
    data: page.map(({ row }) => row),
    meta: cursorMeta(plan, paging, { more: beyond.length > size, ...cursors }),
  }
}

const EVERYWHERE = { after: 0, before: Number.MAX_SAFE_INTEGER }

function pieceOf<T>(source: Rows<T>, start: number, end: number): Placed<T>[] {
  return source.slice(start, end).map((row, index) => ({ row, place: start + index, key: [] }))
}

function rankCursor<T>(plan: ListPlan, readerOf: ReaderOf<T>, { row, place }: Placed<T>): CursorValues {
  const { tiebreaker } = plan.definition
  const values = new Map<string, ListValue>([[RANK, place]])
  if (tiebreaker !== undefined) values.set(tiebreaker, readerOf(row)(tiebreaker))
  return values
}

/**
 * Where the page after the cursor begins and the page before it ends. The record may have moved since, then it is
 * looked for; it may be gone, then what followed it has taken its place.
 */
function aroundCursor<T>(
  { definition: { tiebreaker } }: ListPlan,
  source: Rows<T>,
  readerOf: ReaderOf<T>,
  cursor: CursorValues,
): { after: number; before: number } {
  const place = Math.max(0, Number(cursor.get(RANK) ?? 0))
  if (tiebreaker === undefined || !cursor.has(tiebreaker)) return { after: place + 1, before: place }
  const wanted = cursor.get(tiebreaker) ?? null
  const isIt = (row: T) => sameValue(readerOf(row)(tiebreaker), wanted)
  if (source.slice(place, place + 1).some(isIt)) return { after: place + 1, before: place }
  const moved = source.slice().findIndex(isIt)
  return moved < 0 ? { after: place, before: place } : { after: moved + 1, before: moved }
}

const sameValue = (a: ListValue, b: ListValue) => a !== null && b !== null && compareValues(a, b) === 0

/** Plain loops here and below: sorting calls this very often, and iterators would cost more than the comparison. */
function compareKeys(order: readonly OrderTerm[], a: readonly ListValue[], b: readonly ListValue[]): number {
  for (let position = 0; position < order.length; position++) {
    const term = order[position]
    const one = term === undefined ? 0 : compareTerm(term, a[position] ?? null, b[position] ?? null)
    if (one !== 0) return one
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
