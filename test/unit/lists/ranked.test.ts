import { expect, test } from 'vitest'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'
import { type Item, items, parsePlan, queryErrors, queryIds, runQuery, shop } from './sample-list.ts'

/** A ranked list keeps the caller's order. */
const ranked = shop({ ranked: true })
const ranking: readonly Item[] = [3, 1, 4, 2].flatMap((id) => items.filter((item) => item.id === id))
const ids = (query: Record<string, unknown>, rows = ranking) => runQuery(query, ranked, rows).data.map(({ id }) => id)

/** Rows that count how many are taken. */
function createCountingRows(length: number) {
  let taken = 0
  const slice = (start = 0, end = length) => {
    const piece = Array.from({ length: Math.max(0, Math.min(end, length) - start) }, (_, index) => ({
      id: start + index,
    }))
    taken += piece.length
    return piece
  }
  return { rows: { length, slice }, taken: () => taken }
}

test('a request without an order keeps the ranking on every page', () => {
  expect(ids({})).toEqual([3, 1, 4, 2])
  expect(ids({ page: 2, page_size: 3 })).toEqual([2])
  expect(ids({ limit: 2, offset: 1 })).toEqual([1, 4])
  expect(ids({ order_by: ['price'] })).toEqual([2, 3, 1, 4])
  expect(ids({ filters: ['type:==<city'] })).toEqual([3, 1])
})

test.each([
  ['first', 'after', 'end_cursor', 'has_next_page?'],
  ['last', 'before', 'start_cursor', 'has_previous_page?'],
] as const)('cursors follow the ranking with %s, filtered or not', (size, param, end, more) => {
  for (const filters of [[], ['price:<=<20']]) {
    const visited: number[][] = []
    let cursor: string | null = null
    do {
      const page: ReturnType<typeof runQuery> = runQuery({ [size]: 2, [param]: cursor, filters }, ranked, ranking)
      visited.push(page.data.map(({ id }) => id))
      cursor = page.meta[more] ? page.meta[end] : null
    } while (cursor !== null)
    const all = size === 'first' ? visited.flat() : visited.toReversed().flat()
    expect(all).toEqual(ids({ filters }))
  }
})

test('a cursor finds its record again after the ranking has moved it', () => {
  const { meta } = runQuery({ first: 2 }, ranked, ranking)
  const moved = [4, 3, 2, 1].flatMap((id) => items.filter((item) => item.id === id))
  expect(ids({ first: 9, after: meta.end_cursor }, moved)).toEqual([])
  expect(ids({ last: 9, before: meta.end_cursor }, moved)).toEqual([4, 3, 2])
})

test('a cursor whose record is gone continues at its position', () => {
  const { meta } = runQuery({ first: 2 }, ranked, ranking)
  const without = ranking.filter(({ id }) => id !== 1)
  expect(ids({ first: 9, after: meta.end_cursor }, without)).toEqual([4, 2])
  expect(ids({ last: 9, before: meta.end_cursor }, without)).toEqual([3])
})

test('a cursor of the ranking is refused with an order by a field', () => {
  const { meta } = runQuery({ first: 2 }, ranked, ranking)
  expect(queryErrors({ first: 2, after: meta.end_cursor, order_by: ['price'] }, ranked)[0]?.code).toBe(
    'cursor_order_mismatch',
  )
})

test('a page of an unfiltered ranking takes only that page from the source', () => {
  const first = createCountingRows(1_000_000)
  expect(runInMemory(parsePlan({ page: 3 }, ranked), first.rows).data[0]).toEqual({ id: 100 })
  expect(first.taken()).toBe(50)
  const second = createCountingRows(1_000_000)
  const { meta } = runInMemory(parsePlan({ first: 10 }, ranked), second.rows)
  runInMemory(parsePlan({ first: 10, after: meta.end_cursor }, ranked), second.rows)
  expect(second.taken()).toBe(11 + 1 + 11)
  const third = createCountingRows(1_000_000)
  expect(runInMemory(parsePlan({ last: 10 }, ranked), third.rows).data.at(-1)).toEqual({ id: 999_999 })
  expect(third.taken()).toBe(11)
})

test('missing values are last in ascending and first in descending order, unless specified', () => {
  expect(queryIds('order_by[]=name')).toEqual([4, 1, 2, 3])
  expect(queryIds('order_by[]=name&order_directions[]=desc')).toEqual([3, 2, 1, 4])
  expect(queryIds('order_by[]=name&order_directions[]=asc_nulls_first')).toEqual([3, 4, 1, 2])
  expect(queryIds('order_by[]=name&order_directions[]=desc_nulls_last')).toEqual([2, 1, 4, 3])
})
