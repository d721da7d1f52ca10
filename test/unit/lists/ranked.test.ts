import { expect, test } from 'vitest'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'
import { ask, errorsOf, type Item, idsOf, items, planOf, shop } from './shop.ts'

/** The order of a ranking: the caller's, not that of any field. */
const ranked = shop({ ranked: true })
const ranking: readonly Item[] = [3, 1, 4, 2].flatMap((id) => items.filter((item) => item.id === id))
const ids = (query: Record<string, unknown>, rows = ranking) => ask(query, ranked, rows).data.map(({ id }) => id)

/** Counts how much is taken from it. */
function counting(length: number) {
  let taken = 0
  const slice = (start = 0, end = length) => {
    const piece = Array.from({ length: Math.max(0, Math.min(end, length) - start) }, (_, at) => ({ id: start + at }))
    taken += piece.length
    return piece
  }
  return { rows: { length, slice }, taken: () => taken }
}

test('without an order of its own a request keeps the ranking, page by page', () => {
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
    const met: number[][] = []
    let cursor: string | null = null
    do {
      const page: ReturnType<typeof ask> = ask({ [size]: 2, [param]: cursor, filters }, ranked, ranking)
      met.push(page.data.map(({ id }) => id))
      cursor = page.meta[more] ? page.meta[end] : null
    } while (cursor !== null)
    const all = size === 'first' ? met.flat() : met.toReversed().flat()
    expect(all).toEqual(ids({ filters }))
  }
})

test('a cursor finds its record again when the ranking has moved it', () => {
  const { meta } = ask({ first: 2 }, ranked, ranking)
  const moved = [4, 3, 2, 1].flatMap((id) => items.filter((item) => item.id === id))
  expect(ids({ first: 9, after: meta.end_cursor }, moved)).toEqual([])
  expect(ids({ last: 9, before: meta.end_cursor }, moved)).toEqual([4, 3, 2])
})

test('a cursor whose record is gone goes on with what took its place', () => {
  const { meta } = ask({ first: 2 }, ranked, ranking)
  const without = ranking.filter(({ id }) => id !== 1)
  expect(ids({ first: 9, after: meta.end_cursor }, without)).toEqual([4, 2])
  expect(ids({ last: 9, before: meta.end_cursor }, without)).toEqual([3])
})

test('a cursor of the ranking does not fit an order by a field', () => {
  const { meta } = ask({ first: 2 }, ranked, ranking)
  expect(errorsOf({ first: 2, after: meta.end_cursor, order_by: ['price'] }, ranked)[0]?.code).toBe(
    'cursor_order_mismatch',
  )
})

test('a page of an untouched ranking takes that page from the source and nothing else', () => {
  const first = counting(1_000_000)
  expect(runInMemory(planOf({ page: 3 }, ranked), first.rows).data[0]).toEqual({ id: 100 })
  expect(first.taken()).toBe(50)
  const second = counting(1_000_000)
  const { meta } = runInMemory(planOf({ first: 10 }, ranked), second.rows)
  runInMemory(planOf({ first: 10, after: meta.end_cursor }, ranked), second.rows)
  expect(second.taken()).toBe(11 + 1 + 11)
  const third = counting(1_000_000)
  expect(runInMemory(planOf({ last: 10 }, ranked), third.rows).data.at(-1)).toEqual({ id: 999_999 })
  expect(third.taken()).toBe(11)
})

test('missing values are last in ascending and first in descending order, unless said otherwise', () => {
  expect(idsOf('order_by[]=name')).toEqual([4, 1, 2, 3])
  expect(idsOf('order_by[]=name&order_directions[]=desc')).toEqual([3, 2, 1, 4])
  expect(idsOf('order_by[]=name&order_directions[]=asc_nulls_first')).toEqual([3, 4, 1, 2])
  expect(idsOf('order_by[]=name&order_directions[]=desc_nulls_last')).toEqual([2, 1, 4, 3])
})
