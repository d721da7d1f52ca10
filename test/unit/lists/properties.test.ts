import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorMeta } from '../../../src/lists/meta.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import type { ListParams } from '../../../src/lists/plan.ts'
import { parseQueryString } from '../../../src/lists/query-string.ts'
import { runInMemory } from '../../../src/lists/run-in-memory.ts'
import { trickyRecords, validFilter, validOrder } from '../../store/lists/tricky-records.ts'
import { createDefinition, type Rec } from '../../store/lists/vector.ts'
import { startStopwatch } from '../../support/time/measure.ts'
import { listContext } from './sample-list.ts'

const definition = createDefinition({}, true)

function answer(params: ListParams, rows: readonly Rec[]) {
  const parsed = parseListQuery(definition, params, listContext)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
  return runInMemory(parsed.plan, rows)
}

const listing = fc.record({
  rows: fc.integer({ min: 0, max: 25 }).chain(trickyRecords),
  order: validOrder,
  filters: fc.array(validFilter, { maxLength: 1 }),
  size: fc.integer({ min: 1, max: 7 }),
})

test('paging forwards and then backwards from the end returns the same records', () => {
  fc.assert(
    fc.property(listing, ({ rows, order, filters, size }) => {
      const forth: Rec[] = []
      const back: Rec[] = []
      let cursor: string | null = null
      do {
        const { data, meta }: ReturnType<typeof answer> = answer(
          { ...order, filters, first: size, after: cursor },
          rows,
        )
        forth.push(...data)
        cursor = meta['has_next_page?'] && forth.length <= rows.length ? meta.end_cursor : null
      } while (cursor !== null)
      do {
        const { data, meta }: ReturnType<typeof answer> = answer(
          { ...order, filters, last: size, before: cursor },
          rows,
        )
        back.unshift(...data)
        cursor = meta['has_previous_page?'] && back.length <= rows.length ? meta.start_cursor : null
      } while (cursor !== null)
      expect(back).toEqual(forth)
      expect(forth).toEqual(answer({ ...order, filters, limit: 1000 }, rows).data)
    }),
  )
})

test('pages and offsets cover the list exactly once, and meta has the right counts', () => {
  fc.assert(
    fc.property(listing, ({ rows, order, filters, size }) => {
      const all = answer({ ...order, filters, limit: 1000 }, rows).data
      const pages = (paging: (position: number) => ListParams, next: 'next_page' | 'next_offset', start: number) => {
        const visited: Rec[] = []
        for (let position: number | null = start; position !== null; ) {
          const { data, meta }: ReturnType<typeof answer> = answer({ ...order, filters, ...paging(position) }, rows)
          visited.push(...data)
          expect([meta.total_count, meta.total_pages]).toEqual([all.length, Math.ceil(all.length / size)])
          // Checked inside the loop, which would otherwise never end on a failure.
          expect(visited.length).toBeLessThanOrEqual(all.length)
          if (data.length === 0) expect(meta[next]).toBeNull()
          position = meta[next]
        }
        return visited
      }
      expect(pages((page) => ({ page, page_size: size }), 'next_page', 1)).toEqual(all)
      expect(pages((offset) => ({ offset, limit: size }), 'next_offset', 0)).toEqual(all)
    }),
  )
})

const NAMES = [
  'limit',
  'offset',
  'page',
  'page_size',
  'first',
  'after',
  'last',
  'before',
  'order_by',
  'order_directions',
  'filters',
]
const FILTER_KEYS = ['field', 'op', 'value', '__proto__', 'constructor', 'toString', '0', '-1', 'x']
const odd = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withSparseArray: true,
  }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\0',
    '\ud800',
    '__proto__',
    'id',
    'name',
    'tags',
    'label',
    '==',
    'in',
    'asc',
    '9'.repeat(31),
    '1e400',
    '2020-02-30',
    Number.NaN,
    -0,
  ),
)
const oddFilters = fc.oneof(
  odd,
  fc.array(fc.oneof(odd, fc.dictionary(fc.constantFrom(...FILTER_KEYS), odd)), { maxLength: 5 }),
  fc.dictionary(fc.constantFrom(...FILTER_KEYS), fc.dictionary(fc.constantFrom(...FILTER_KEYS), odd)),
)
const oddParams = fc
  .tuple(fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(odd, fc.array(odd))), oddFilters)
  .map(([params, filters]) => ({ ...params, filters }))

const few = fc.sample(trickyRecords(8), { seed: 7, numRuns: 1 })[0] ?? []

function expectNoThrow(params: ListParams): void {
  for (const replace_invalid_params of [false, true]) {
    const list = createDefinition({ replace_invalid_params }, true)
    const parsed = parseListQuery(list, params, listContext)
    if (parsed.ok) runInMemory(parsed.plan, few)
    else expect(errorMeta(list, parsed.issues, parsed.params).errors.length).toBeGreaterThan(0)
  }
}

test('no parameters make the parser throw', () => {
  fc.assert(fc.property(oddParams, expectNoThrow), { numRuns: 2000 })
}, 60_000)

test('no query string makes the parser throw', () => {
  const piece = fc.oneof(
    fc.constantFrom(...NAMES, '[', ']', '[]', '=', '&', '%', '%00', '%ED%A0%80', '+', ':==<', '[field]'),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (query) => {
        const parsed = parseQueryString(query)
        if (parsed.ok) expectNoThrow(parsed.params)
      },
    ),
    { numRuns: 2000 },
  )
})

const MEGABYTE = 1_000_000

test.each([
  [
    'ten thousand filters',
    { filters: Array.from({ length: 10_000 }, () => ({ field: 'name', op: 'like', value: 'a' })) },
  ],
  ['a million values', { filters: [{ field: 'name', op: 'in', value: Array.from({ length: MEGABYTE }, () => 'a') }] }],
  ['a megabyte of value', { filters: [{ field: 'name', op: 'ilike_and', value: 'a '.repeat(MEGABYTE / 2) }] }],
  ['a megabyte of short form', { filters: [`name:=~<${'a'.repeat(MEGABYTE)}`, 'x'.repeat(MEGABYTE)] }],
  ['a megabyte of digits', { limit: '9'.repeat(MEGABYTE), filters: [{ field: 'score', value: '9'.repeat(MEGABYTE) }] }],
  ['a megabyte of cursor', { first: 1, after: 'A'.repeat(MEGABYTE) }],
  ['a megabyte of blanks', { first: ' '.repeat(MEGABYTE), order_by: ' '.repeat(MEGABYTE) }],
  ['a hundred thousand order fields', { order_by: Array.from({ length: 100_000 }, () => 'name') }],
  [
    'a hundred thousand unknown parameters',
    Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, ''])),
  ],
])('a request with %s is processed quickly', (_, params) => {
  const readMs = startStopwatch()
  expectNoThrow(params)
  expect(readMs()).toBeLessThan(1000)
})

test('a megabyte of query string is parsed quickly', () => {
  const queries = [
    'filters[]=name:==<a&'.repeat(50_000),
    'a[b][c]=1&'.repeat(100_000),
    '%41'.repeat(300_000),
    '&'.repeat(MEGABYTE),
  ]
  for (const query of queries) {
    const readMs = startStopwatch()
    const parsed = parseQueryString(query)
    if (parsed.ok) expectNoThrow(parsed.params)
    expect(readMs()).toBeLessThan(1500)
  }
})
