import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = await app.signIn()
})
afterAll(() => app.close())

const list = async (url: string) => (await app.as(token, { url })).json().meta.warnings
const search = async (query: string, fields = {}) => {
  const answer = await app.as(token, {
    method: 'POST',
    url: `/api/accommodation_searches/search?${query}`,
    payload: {
      destination_id: '00000000-0000-4000-8000-000000000001',
      check_in: '2027-03-01',
      check_out: '2027-03-03',
      occupancies: [{ adults: 2 }],
      ...fields,
    },
    headers: { 'x-simulate-return': 'success' },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data.warnings
}

test('a parameter of another list or of a search is named in the warnings of a list', async () => {
  expect(await list('/api/accommodation/bookings?view=card&starts_with=par&currency=EUR&limit=1')).toEqual([
    '`view` was ignored, because it has no effect here.',
    '`starts_with` was ignored, because it has no effect here.',
    '`currency` was ignored. Filter with `filters[]=currency:==<VALUE`.',
  ])
})

test('a field of the list that is sent like a parameter is named with its filter', async () => {
  expect(await list('/api/accommodation/bookings?status=confirmed')).toEqual([
    '`status` was ignored. Filter with `filters[]=status:==<VALUE`.',
  ])
})

test('parameters that have an effect, and those that nothing knows, cause no warning', async () => {
  const query = 'page=1&page_size=5&order_by[]=created_at&filters[]=status:==<confirmed&utm_source=mail'
  expect(await list(`/api/accommodation/bookings?${query}`)).toBeUndefined()
  expect(await list('/api/locations/search?starts_with=par')).toBeUndefined()
})

test('a search names list parameters in the body, body fields in the query, and paging that it does not have', async () => {
  expect(await search('currency=EUR&offset=10&page_size=5', { page_size: 5, order_by: ['name'] })).toEqual([
    '`page_size` was ignored in the body. Lists take it in the query.',
    '`order_by` was ignored in the body. Lists take it in the query.',
    '`currency` was ignored in the query. Send it in the body.',
    '`offset` was ignored, because it has no effect here.',
  ])
  expect(await search('page_size=5&view=card&order_by[]=name')).toEqual([])
})
