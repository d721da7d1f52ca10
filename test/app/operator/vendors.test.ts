import { afterAll, beforeAll, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { VendorDetailResponse, VendorHealthList } from '../../../src/operator/schemas/vendors.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

const DOWN = 'hotelbeds'

let app: SearchApp
let operator: string
beforeAll(async () => {
  app = await searchApp()
  operator = await operatorToken(app)
  await searchUntilComplete(app)
})
afterAll(() => app.close())

async function readFigures<T>(url: string): Promise<T> {
  await app.writeFigures()
  app.clock.advance(5_000)
  const answer = await app.as(operator, { url })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

type Vendors = { data: { vendor_id: string; last_hour: { calls: number } }[] }

test('all vendors are listed with their calls in the last hour, day and week', async () => {
  const list = await readFigures<Vendors>('/api/operator/vendors')
  expectToMatch(VendorHealthList, list)
  expect(list.data.map(({ vendor_id }) => vendor_id)).toEqual([...STAND_IN_IDS].sort())
  for (const vendor of list.data) {
    expect(vendor).toMatchObject({ environment: 'sandbox', breaker: 'closed', processes: 1 })
    expect(vendor.last_hour.calls).toBeGreaterThan(1)
    expect(vendor).toMatchObject({ last_day: vendor.last_hour, last_week: vendor.last_hour })
  }
})

test('vendors are filtered, sorted and paged like every list', async () => {
  const ids = async (query: string) =>
    (await readFigures<Vendors>(`/api/operator/vendors?${query}`)).data.map(({ vendor_id }) => vendor_id)
  expect(await ids('order_by[]=vendor_id&order_directions[]=desc&limit=1')).toEqual([...STAND_IN_IDS].sort().slice(-1))
  expect(await ids('filters[]=breaker:==<open')).toEqual([])
  expect(await ids(`filters[]=vendor_id:==<${DOWN}`)).toEqual([DOWN])
  const wrong = await app.as(operator, { url: '/api/operator/vendors?limit=0' })
  expect(wrong.statusCode).toBe(422)
})

test('a vendor is shown by operation, with its breakers, quota, content and searching accounts', async () => {
  const { data } = await readFigures<{ data: Record<string, unknown> }>(`/api/operator/vendors/${DOWN}`)
  expectToMatch(VendorDetailResponse, { data })
  const { operations, breakers, accounts, hours, recent } = data as Record<string, Record<string, unknown>[]>
  expect(operations?.map(({ operation }) => operation)).toContain('availability')
  expect(breakers?.map((breaker) => breaker.class)).toEqual(['content', 'search', 'price_check', 'book', 'manage'])
  expect(breakers?.[1]).toMatchObject({ state: 'closed', calls_under_way: 0, calls_at_once: 96 })
  expect(accounts?.[0]).toMatchObject({ account_id: expect.stringMatching(/^acc_/), bookings: 0, ratio: null })
  expect(Number(accounts?.[0]?.searches)).toBeGreaterThan(0)
  expect([hours?.length, recent?.length]).toEqual([24, 12])
  expect(data.quota).toMatchObject({ readings_per_minute: 20, held_until: null })
  expect(Number(Object(data.content).properties)).toBeGreaterThan(0)
})

test('failures are counted by kind, and an open breaker shows its process and start', async () => {
  await app.sandbox.control[DOWN].addFaults({ kind: 'error_before', operation: '*' })
  const startedAt = app.clock.now()
  for (let nights = 1; nights <= 40; nights += 1)
    await app.post({
      check_in: app.day(60 + nights),
      check_out: app.day(62 + nights),
      vendors: [DOWN],
      timeout_ms: 2_000,
    })
  const { data } = await readFigures<{ data: Record<string, unknown> }>(`/api/operator/vendors/${DOWN}`)
  await app.clearFaults()
  const { errors, failures } = Object(data.last_hour)
  const kinds = errors.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toContain('server_error')
  expect(kinds).toContain('breaker_open')
  expect(failures).toBeGreaterThanOrEqual(40)
  expect(data.breaker).not.toBe('closed')
  const open = Object(data.breakers).find((breaker: Record<string, unknown>) => breaker.class === 'search')
  expect(Date.parse(open.since)).toBeGreaterThanOrEqual(startedAt)
  const needed = await app.as(operator, { url: '/api/operator/attention' })
  expect(needed.json().data).toMatchObject([{ kind: 'breaker_open', vendor_id: DOWN, action: 'open_vendor' }])
})

test('simulated searches are not counted for any vendor', async () => {
  const searches = async () => {
    const { data } = await readFigures<{ data: { look_to_book: { searches: number } } }>(
      '/api/operator/vendors/liteapi',
    )
    return data.look_to_book.searches
  }
  const before = await searches()
  await app.search({}, { headers: { 'x-simulate-return': 'success' } })
  expect(await searches()).toBe(before)
  await app.search({ vendors: ['liteapi'] })
  expect(await searches()).toBe(before + 1)
})

test('only operators see vendors, and a vendor that is not connected returns 404', async () => {
  for (const url of ['/api/operator/vendors', `/api/operator/vendors/${DOWN}`])
    expect((await app.get(url)).statusCode).toBe(403)
  const unknown = await app.as(operator, { url: '/api/operator/vendors/nobody' })
  expect(unknown.statusCode).toBe(404)
  expect(unknown.json().code).toBe('not_found')
})
