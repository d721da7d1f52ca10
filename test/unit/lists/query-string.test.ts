import { expect, test } from 'vitest'
import { parseQueryString, QUERY_LENGTH_MAX } from '../../../src/lists/query-string.ts'

const decoded = (query: string) => {
  const parsed = parseQueryString(query)
  return parsed.ok ? JSON.parse(JSON.stringify(parsed.params)) : parsed.code
}

test.each([
  ['', {}],
  ['&&', {}],
  ['a', { a: '' }],
  ['=1', { '': '1' }],
  ['a=1&a=2', { a: '2' }],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[k]=1&a[l]=2', { a: { k: '1', l: '2' } }],
  ['a[0][f]=x&a[0][v][]=y', { a: { 0: { f: 'x', v: ['y'] } } }],
  ['a%5B%5D=1', { a: ['1'] }],
  ['a=b=c', { a: 'b=c' }],
  ['a[op]===', { a: { op: '==' } }],
  ['a=x+y%2Bz', { a: 'x y+z' }],
  ['a[b]c=1', { 'a[b]c': '1' }],
  ['[a]=1', { '[a]': '1' }],
  ['a[b]c[d]=1', { a: { 'b]c[d': '1' } }],
])('the query %s is parsed into nested parameters', (query, params) => {
  expect(decoded(query)).toEqual(params)
})

test('if a name is used in two ways, the last one wins', () => {
  expect(decoded('x[]=1&x[y]=1')).toEqual({ x: { y: '1' } })
  expect(decoded('x=1&x[y]=1')).toEqual({ x: { y: '1' } })
  expect(decoded('x[y][][w]=2&x[y]=1')).toEqual({ x: { y: '1' } })
  expect(decoded('x[y]=1&x=2')).toEqual({ x: '2' })
})

test('maps inside a list are merged into one', () => {
  expect(decoded('f[][a]=1&f[][b]=2&f[][a]=3')).toEqual({ f: [{ a: '3', b: '2' }] })
  expect(decoded('f[][]=1&f[][]=2')).toEqual({ f: [['1', '2']] })
})

test.each(['a=%', 'a=%zz', 'a=%ff', 'a=%ed%a0%80', '%c3=1', 'a=\ud800'])(
  'the query %j cannot be decoded and is reported as malformed',
  (query) => {
    expect(decoded(query)).toBe('malformed_query')
  },
)

test('names of the object prototype are ordinary names and pollute nothing', () => {
  const parsed = parseQueryString(
    '__proto__[polluted]=1&constructor[prototype][polluted]=1&toString=x&a[__proto__][polluted]=1',
  )
  expect(parsed.ok && Object.keys(parsed.params)).toEqual(['__proto__', 'constructor', 'toString', 'a'])
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

test('nesting and length are limited', () => {
  expect(decoded(`a${'[b]'.repeat(7)}=1`)).not.toBe('malformed_query')
  expect(decoded(`a${'[b]'.repeat(8)}=1`)).toBe('malformed_query')
  expect(decoded(`a${'[]'.repeat(100_000)}=1`)).toBe('malformed_query')
  expect(decoded('x'.repeat(QUERY_LENGTH_MAX))).toEqual({ ['x'.repeat(QUERY_LENGTH_MAX)]: '' })
  expect(decoded('x'.repeat(QUERY_LENGTH_MAX + 1))).toBe('query_too_long')
})
