import { expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import { cursors, type Item, items, queryErrors, runQuery, shop } from './sample-list.ts'

const values = new Map<string, string | number | null | bigint>([
  ['name', 'Zoë \u{1F600}'],
  ['age', null],
  ['id', 2n ** 60n],
])

test('a cursor opens to its values and is deterministic', () => {
  const sealed = cursors.seal('a', values)
  expect(sealed).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(cursors.seal('a', values)).toBe(sealed)
  expect([...(cursors.open('a', sealed) ?? [])]).toEqual([
    ['name', 'Zoë \u{1F600}'],
    ['age', null],
    ['id', String(2n ** 60n)],
  ])
})

test('a cursor opens only with its own scope and key', () => {
  const sealed = cursors.seal('list of a', values)
  expect(cursors.open('list of b', sealed)).toBeUndefined()
  expect(cursors.open('', sealed)).toBeUndefined()
  expect(createCursorCodec('some other key, as long').open('list of a', sealed)).toBeUndefined()
})

test('a cursor of an earlier key opens as long as that key is known, in any order of keys', () => {
  const [first, second] = ['the first key, as long', 'the second key, as long'] as const
  const sealed = createCursorCodec(first).seal('a', values)
  expect(createCursorCodec(second, first).open('a', sealed)?.get('age')).toBe(null)
  expect(createCursorCodec(second).open('a', sealed)).toBeUndefined()
  expect(createCursorCodec(first, second).open('a', createCursorCodec(second, first).seal('a', values))).toBeDefined()
})

test('characters cannot be moved between the scope and the content of a cursor', () => {
  const sealed = cursors.seal('ab', new Map([['c', 1]]))
  expect(cursors.open('a', sealed)).toBeUndefined()
  expect(cursors.open('abc', sealed)).toBeUndefined()
})

test('a cursor with one changed character does not open', () => {
  const sealed = cursors.seal('a', new Map([['id', 1]]))
  for (let index = 0; index < sealed.length - 1; index++) {
    const changed = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
    expect(cursors.open('a', changed)).toBeUndefined()
  }
})

test.each(['', 'a', 'garbage', '=====', '\0', 'ü', 'A'.repeat(10_000)])('the cursor %.20j does not open', (text) => {
  expect(cursors.open('a', text)).toBeUndefined()
})

test('a key that is too short is refused at startup', () => {
  expect(() => createCursorCodec('short')).toThrow(/16/)
})

test('records that tie on the order are neither lost nor repeated', () => {
  const visited: number[] = []
  let after: string | null = null
  do {
    const { data, meta }: ReturnType<typeof runQuery> = runQuery({ first: 1, after, order_by: ['price'] })
    visited.push(...data.map(({ id }) => id))
    after = meta['has_next_page?'] ? meta.end_cursor : null
  } while (after !== null)
  expect(visited).toEqual([2, 3, 1, 4])
})

test('a cursor stays valid after its record was deleted', () => {
  const { meta } = runQuery('first=2&order_by[]=price')
  const rest = items.filter(({ id }) => id !== 3)
  expect(
    runQuery({ first: 9, after: meta.end_cursor, order_by: ['price'] }, shop(), rest).data.map(({ id }) => id),
  ).toEqual([1, 4])
})

test('a record added after the cursor appears, and one added before it does not', () => {
  const { meta } = runQuery('first=2&order_by[]=price')
  const added: Item[] = [
    ...items,
    { id: 9, name: 'new', price: 1, type: 'city' },
    { id: 10, name: 'new', price: 25, type: 'city' },
  ]
  const next = runQuery({ first: 9, after: meta.end_cursor, order_by: ['price'] }, shop(), added)
  expect(next.data.map(({ id }) => id)).toEqual([1, 10, 4])
})

test('the filters may change between pages, but the order may not', () => {
  const { meta } = runQuery('first=1&order_by[]=price')
  const after = meta.end_cursor
  expect(
    runQuery({ first: 9, after, order_by: ['price'], filters: ['type:==<city'] }).data.map(({ id }) => id),
  ).toEqual([3, 1])
  expect(queryErrors({ first: 1, after, order_by: ['name'] })[0]?.code).toBe('cursor_order_mismatch')
})
