import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/lists/cursor.ts'
import { errorMeta, ListMeta } from '../../../src/lists/meta.ts'
import { parseListQuery } from '../../../src/lists/parse-list-query.ts'
import { listContext, parseParams, queryErrors, runQuery, shop } from './sample-list.ts'

const TEN_THOUSAND = Array.from(
  { length: 10_000 },
  (_, i) => `filters[${i}][field]=type&filters[${i}][value]=city`,
).join('&')
const foreign = createCursorCodec('another key altogether').seal(listContext.scope, new Map([['id', 1]]))
const otherList = listContext.cursors.seal('shop of account 2', new Map([['id', 1]]))
const otherOrder = listContext.cursors.seal(
  listContext.scope,
  new Map<string, number>([
    ['price', 1],
    ['id', 1],
  ]),
)

test.each([
  ['first=0', 'first', 'too_small', /greater than 0/],
  ['first=1000000000', 'first', 'too_large', /at most 1000/],
  ['first=1e9', 'first', 'not_an_integer', /whole number/],
  ['first=5&last=5', 'first', 'mixed_paging_types', /one kind of paging/],
  ['limit[]=5', 'limit', 'not_an_integer', /whole number/],
  ['offset=-1', 'offset', 'too_small', /0 or more/],
  ['offset=9999999999999999999', 'offset', 'too_large', /at most 9007199254740991/],
  ['page=9999999999999999999&page_size=7', 'page', 'too_large', /at most/],
  ['after=garbage', 'after', 'invalid_cursor', /end_cursor/],
  ['after[]=x', 'after', 'not_a_string', /cursor/],
  [`after=${foreign}`, 'after', 'invalid_cursor', /not a cursor of this list/],
  [`before=${otherList}`, 'before', 'invalid_cursor', /not a cursor of this list/],
  [`after=${'A'.repeat(9000)}`, 'after', 'invalid_cursor', /not a cursor/],
  [`after=${otherOrder}`, 'after', 'cursor_order_mismatch', /same order_by/],
  ['order_by[]=password', 'order_by', 'unknown_field', /cannot order this list; use id, name, price/],
  ['order_by[]=type', 'order_by', 'not_sortable', /cannot order this list; use id, name, price/],
  ['order_by=id', 'order_by', 'not_a_list', /order_by\[\]=/],
  ['order_by[]=id&order_directions[]=up', 'order_directions', 'unknown_direction', /asc, asc_nulls_first/],
  ['filters[0][op]=drop table&filters[0][field]=type', 'filters[0][op]', 'unknown_operator', /one of ==/],
  ['filters[0][value]=x', 'filters[0][field]', 'field_missing', /id, name, price, type/],
  ['filters[0][field]=password&filters[0][value]=x', 'filters[0][field]', 'unknown_field', /id, name, price, type/],
  ['filters[]=price:like<1', 'filters[0][op]', 'operator_not_allowed', /use ==/],
  ['filters[]=price:==<cheap', 'filters[0][value]', 'invalid_value', /must be a number/],
  ['filters[]=price:in<1,cheap', 'filters[0][value]', 'invalid_value', /must be a list; each entry must be a number/],
  ['filters[0][field]=id&filters[0][op]=in&filters[0][value]=1', 'filters[0][value]', 'invalid_value', /a list/],
  ['filters[]=price:empty<maybe', 'filters[0][value]', 'invalid_value', /must be true or false/],
  ['filters[]=type:==<village', 'filters[0][value]', 'invalid_value', /must be one of city, airport, region/],
  ['filters[]=at:><2027-01-15T12:00:00+01:00', 'filters[0][value]', 'invalid_value', /%2B/],
  [`filters[]=name:=~<${'x'.repeat(2001)}`, 'filters[0][value]', 'value_too_long', /shorter/],
  [`filters[]=name:in<${'x,'.repeat(600)}`, 'filters[0][value]', 'value_too_long', /fewer/],
  ['filters=', 'filters', 'filters_malformed', /filters\[0\]\[field\]/],
  [TEN_THOUSAND, 'filters', 'too_many_filters', /at most 20/],
])('the query %.60s is refused with the field and a hint', (query, field, code, message) => {
  const errors = queryErrors(query)
  expect(errors).toHaveLength(1)
  expect(errors[0]).toEqual({ field, code, message: expect.stringMatching(message) })
})

test('an error lists everything that is wrong', () => {
  const fields = queryErrors(
    'first=0&after=x&order_by[]=type&order_directions[]=up&filters[]=price:==<x&filters[]=zzz:==<1',
  )
  expect(fields.map(({ field }) => field).sort()).toEqual([
    'after',
    'filters[0][value]',
    'filters[1][field]',
    'first',
    'order_by',
    'order_directions',
  ])
})

test('without a unique field, cursors require an order, and the error lists the fields', () => {
  const bare = { ...shop(), tiebreaker: undefined }
  expect(queryErrors('first=1', bare)).toEqual([
    { field: 'order_by', code: 'order_required', message: expect.stringContaining('id, name, price') },
  ])
  expect(queryErrors('first=1&order_by[]=name', bare)).toEqual([])
})

test('the number of words is limited per filter and in total, whatever the operators', () => {
  const words = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `w${from + index}`).join('+')
  expect(queryErrors(`filters[]=name:ilike_and<${words(20)}`)).toEqual([])
  expect(queryErrors(`filters[]=name:ilike_and<${words(21)}`)).toMatchObject([
    { field: 'filters[0][value]', code: 'value_too_long' },
  ])
  const three = (count: number) =>
    [0, 1, 2].map((index) => `filters[]=name:ilike_or<${words(count, index * 20)}`).join('&')
  expect(queryErrors(three(16))).toEqual([])
  expect(queryErrors(three(17))).toEqual([
    { field: 'filters', code: 'too_many_words', message: expect.stringContaining('at most 50 words') },
  ])
})

test('a list without a default size requires one', () => {
  expect(queryErrors('page=1', shop({ defaultLimit: false }))[0]).toMatchObject({
    field: 'page_size',
    code: 'required',
  })
  expect(queryErrors('', shop({ defaultLimit: false }))).toEqual([])
})

test('a refused request gets a valid meta with the parameters that were sent', () => {
  const query = 'limit=0&foo=bar&filters[1][field]=zzz&filters[0][field]=type'
  const parsed = parseListQuery(shop(), parseParams(query), listContext)
  const meta = parsed.ok ? undefined : errorMeta(shop(), parsed.issues, parsed.params)
  expect(Value.Check(ListMeta, JSON.parse(JSON.stringify(meta)))).toBe(true)
  expect(meta?.params).toEqual({ limit: '0', foo: 'bar', filters: [{ field: 'type' }, { field: 'zzz' }] })
  expect(meta).toMatchObject({ total_count: null, page_size: null, 'has_next_page?': false })
})

test('an accepted request gets a valid meta without errors', () => {
  for (const query of ['', 'page=2&page_size=1', 'first=2', 'last=2', 'limit=1&offset=3']) {
    const { meta } = runQuery(query)
    expect(Value.Check(ListMeta, meta)).toBe(true)
    expect([meta.errors, meta.params]).toEqual([[], {}])
  }
})

test('a request with very many errors gets a bounded response', () => {
  const definition = shop({ maxFilters: Number.POSITIVE_INFINITY })
  const filters = Array.from({ length: 5000 }, () => 'zzz:==<1')
  const errors = queryErrors({ filters }, definition)
  expect(errors).toHaveLength(51)
  expect(errors.at(-1)?.message).toMatch(/4950 more/)
})

test('far too many filters get one error without being examined', () => {
  const filters = Array.from({ length: 10_000 }, () => 'zzz:==<1')
  expect(queryErrors({ filters })).toEqual([
    { field: 'filters', code: 'too_many_filters', message: expect.stringContaining('at most 20') },
  ])
})
