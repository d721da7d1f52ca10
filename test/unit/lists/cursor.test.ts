import { expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import { ask, cursors, errorsOf, type Item, items, shop } from './shop.ts'

const values = new Map<string, string | number | null | bigint>([
  ['name', 'Zoë \u{1F600}'],
  ['age', null],
  ['id', 2n ** 60n],
])

test('a cursor opens to what it was made of, and is the same text each time', () => {
  const sealed = cursors.seal('a', values)
  expect(sealed).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(cursors.seal('a', values)).toBe(sealed)
  expect([...(cursors.open('a', sealed) ?? [])]).toEqual([
    ['name', 'Zoë \u{1F600}'],
    ['age', null],
    ['id', String(2n ** 60n)],
  ])
})

test('a cursor opens under its own scope and key only', () => {
  const sealed = cursors.seal('list of a', values)
  expect(cursors.open('list of b', sealed)).toBeUndefined()
  expect(cursors.open('', sealed)).toBeUndefined()
  expect(createCursorCodec('some other key, as long').open('list of a', sealed)).toBeUndefined()
})

test('a cursor of an earlier key opens as long as that key is known, in whichever order processes have them', () => {
  const [first, second] = ['the first key, as long', 'the second key, as long'] as const
  const sealed = createCursorCodec(first).seal('a', values)
  expect(createCursorCodec(second, first).open('a', sealed)?.get('age')).toBe(null)
  expect(createCursorCodec(second).open('a', sealed)).toBeUndefined()
  expect(createCursorCodec(first, second).open('a', createCursorCodec(second, first).seal('a', values))).toBeDefined()
})

test('scope and content cannot be shifted into each other', () => {
  const one = cursors.seal('ab', new Map([['c', 1]]))
  expect(cursors.open('a', one)).toBeUndefined()
  expect(cursors.open('abc', one)).toBeUndefined()
})

test('no single changed character goes unnoticed', () => {
  const sealed = cursors.seal('a', new Map([['id', 1]]))
  for (let at = 0; at < sealed.length - 1; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(cursors.open('a', changed)).toBeUndefined()
  }
})

test.each(['', 'a', 'garbage', '=====', '\0', 'ü', 'A'.repeat(10_000)])('%.20j does not open', (text) => {
  expect(cursors.open('a', text)).toBeUndefined()
})

test('a key too short to protect anything is refused at start', () => {
  expect(() => createCursorCodec('short')).toThrow(/16/)
})

test('records that tie on the order are neither lost nor repeated', () => {
  const met: number[] = []
  let after: string | null = null
  do {
    const { data, meta }: ReturnType<typeof ask> = ask({ first: 1, after, order_by: ['price'] })
    met.push(...data.map(({ id }) => id))
    after = meta['has_next_page?'] ? meta.end_cursor : null
  } while (after !== null)
  expect(met).toEqual([2, 3, 1, 4])
})

test('a record that vanished still marks its place', () => {
  const { meta } = ask('first=2&order_by[]=price')
  const rest = items.filter(({ id }) => id !== 3)
  expect(ask({ first: 9, after: meta.end_cursor, order_by: ['price'] }, shop(), rest).data.map(({ id }) => id)).toEqual(
    [1, 4],
  )
})

test('a record that is added behind the cursor shows up, one before it does not disturb', () => {
  const { meta } = ask('first=2&order_by[]=price')
  const added: Item[] = [
    ...items,
    { id: 9, name: 'new', price: 1, type: 'city' },
    { id: 10, name: 'new', price: 25, type: 'city' },
  ]
  const next = ask({ first: 9, after: meta.end_cursor, order_by: ['price'] }, shop(), added)
  expect(next.data.map(({ id }) => id)).toEqual([1, 10, 4])
})

test('the filters may change between pages; the order fields may not', () => {
  const { meta } = ask('first=1&order_by[]=price')
  const after = meta.end_cursor
  expect(ask({ first: 9, after, order_by: ['price'], filters: ['type:==<city'] }).data.map(({ id }) => id)).toEqual([
    3, 1,
  ])
  expect(errorsOf({ first: 1, after, order_by: ['name'] })[0]?.code).toBe('cursor_order_mismatch')
})
