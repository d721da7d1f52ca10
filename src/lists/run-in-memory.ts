import type { ListValue } from './cast-value.ts'
import { compareValues } from './compare-values.ts'
import { matcherOf } from './match-filters.ts'
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
import { createReading, type Reading, type ReadRow, readProperty } from './row-value.ts'

/** Records at hand. Any array will do; so does anything that can count itself and hand out a piece. */
export type Rows<T> = { readonly length: number; slice(start?: number, end?: number): readonly T[] }

/** A record with its place in the source and what it is ordered by. */
type Placed<T> = { readonly row: T; readonly place: number; readonly key: readonly ListValue[] }

/**
 * Runs a plan over records in memory. With neither filters nor an order to apply, only the page itself is taken
 * from `rows`: nothing is copied, read or sorted.
 */
export function runInMemory<T>(
  plan: ListPlan,
  rows: Rows<T> | (() => Rows<T>),
  readRow: ReadRow<T> = readProperty,
): ListPage<T> {
  const source = typeof rows === 'function' ? rows() : rows
  const reading = createReading(plan.definition, readRow)
  const asItComes = plan.ranked || plan.order.length === 0
  const untouched = asItComes && plan.filters.length === 0
  const { paging } = plan
  if (!isCursorPaging(paging)) {
    if (untouched) return countedPage(paging, source)
    return countedPage(
      paging,
      arrange(plan, source, reading).map(({ row }) => row),
    )
  }
  return asItComes ? rankedPage(plan, paging, source, reading) : orderedPage(plan, paging, source, reading)
}

function countedPage<T>(paging: CountedPaging, rows: Rows<T>): ListPage<T> {
  const offset = offsetOf(paging)
  const end = paging.size === null ? rows.length : Math.min(offset + paging.size, rows.length)
  const data = offset >= rows.length ? [] : [...rows.slice(offset, end)]
  return { data, meta: countedMeta(paging, rows.length) }
}

/** Filtered and ordered. Places are those in the source, so that ties keep them and a ranked cursor finds its way. */
function arrange<T>(plan: ListPlan, source: Rows<T>, reading: Reading<T>): Placed<T>[] {
  const matches = matcherOf(plan)
  const order = plan.ranked ? [] : plan.order
  const placed: Placed<T>[] = []
  for (const [place, row] of source.slice().entries()) {
    const read = reading.of(row)
    if (matches(read)) placed.push({ row, place, key: order.map(({ field }) => read(field)) })
  }
  if (order.length > 0) placed.sort((a, b) => compareKeys(order, a.key, b.key))
  return placed
}

function orderedPage<T>(plan: ListPlan, paging: CursorPaging, source: Rows<T>, reading: Reading<T>): ListPage<T> {
  const all = arrange(plan, source, reading)
  const { cursor } = paging
  const forward = paging.type === 'first'
  const beyond =
    cursor === undefined ? all : all.filter(({ key }) => side(plan.order, key, cursor) === (forward ? 1 : -1))
  const page = forward ? beyond.slice(0, paging.size) : beyond.slice(-paging.size)
  const cursorOf = (at: Placed<T> | undefined) =>
    at && new Map(plan.order.map(({ field }, position) => [field, at.key[position] ?? null]))
  return {
    data: page.map(({ row }) => row),
    meta: cursorMeta(plan, paging, {
      more: beyond.length > paging.size,
      start: cursorOf(page[0]),
      end: cursorOf(page.at(-1)),
    }),
  }
}

/** Paging through an order that exists only as the records' sequence: the cursor is the place, checked by the key. */
function rankedPage<T>(plan: ListPlan, paging: CursorPaging, source: Rows<T>, reading: Reading<T>): ListPage<T> {
  const { size, cursor } = paging
  const forward = paging.type === 'first'
  const { after, before } = cursor === undefined ? EVERYWHERE : aroundCursor(plan, source, reading, cursor)
  const [low, high] = forward ? [after, source.length] : [0, Math.min(before, source.length)]
  const page =
    plan.filters.length === 0
      ? pieceOf(source, forward ? low : Math.max(low, high - size - 1), forward ? low + size + 1 : high)
      : arrange(plan, source, reading).filter(({ place }) => place >= low && place < high)
  const data = forward ? page.slice(0, size) : page.slice(-size)
  const cursorOf = (at: Placed<T> | undefined) => at && rankCursor(plan, reading, at)
  return {
    data: data.map(({ row }) => row),
    meta: cursorMeta(plan, paging, { more: page.length > size, start: cursorOf(data[0]), end: cursorOf(data.at(-1)) }),
  }
}

const EVERYWHERE = { after: 0, before: Number.MAX_SAFE_INTEGER }

function pieceOf<T>(source: Rows<T>, start: number, end: number): Placed<T>[] {
  return source.slice(start, end).map((row, index) => ({ row, place: start + index, key: [] }))
}

function rankCursor<T>(plan: ListPlan, reading: Reading<T>, { row, place }: Placed<T>): CursorValues {
  const { tiebreaker } = plan.definition
  const values = new Map<string, ListValue>([[RANK, place]])
  if (tiebreaker !== undefined) values.set(tiebreaker, reading.of(row)(tiebreaker))
  return values
}

/**
 * Where the page after the cursor begins and the page before it ends. The record may have moved since, then it is
 * looked for; it may be gone, then what followed it has taken its place.
 */
function aroundCursor<T>(
  { definition: { tiebreaker } }: ListPlan,
  source: Rows<T>,
  reading: Reading<T>,
  cursor: CursorValues,
): { after: number; before: number } {
  const place = Math.max(0, Number(cursor.get(RANK) ?? 0))
  if (tiebreaker === undefined || !cursor.has(tiebreaker)) return { after: place + 1, before: place }
  const wanted = cursor.get(tiebreaker) ?? null
  const isIt = (row: T) => sameValue(reading.of(row)(tiebreaker), wanted)
  if (source.slice(place, place + 1).some(isIt)) return { after: place + 1, before: place }
  const moved = source.slice().findIndex(isIt)
  return moved < 0 ? { after: place, before: place } : { after: moved + 1, before: moved }
}

const sameValue = (a: ListValue, b: ListValue) => a !== null && b !== null && compareValues(a, b) === 0

/** 1 when the record comes after the cursor, -1 before, 0 at it. Only the fields in the cursor count. */
function side(order: readonly OrderTerm[], key: readonly ListValue[], cursor: CursorValues): number {
  for (const [position, term] of order.entries()) {
    const value = cursor.get(term.field)
    if (value === undefined) continue
    const one = compareTerm(term, key[position] ?? null, value)
    if (one !== 0) return Math.sign(one)
  }
  return 0
}

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
