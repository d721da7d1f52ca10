import { afterAll, beforeAll, expect, test } from 'vitest'
import { RequestList, RequestResponse } from '../../../src/operator/schemas/requests.ts'
import type { Database } from '../../../src/store/database.ts'
import { type TestApp, testApp } from '../../support/app/app.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { findLocationId } from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

let database: Database
let app: TestApp
let operator: string
let client: string
async function start(settings: Parameters<typeof testApp>[0] = {}) {
  database = await openMigrated()
  app = await testApp(settings, { database })
  operator = await operatorToken(app)
  client = await app.signIn()
}
beforeAll(() => start())
afterAll(() => app.close())

type Entry = Record<string, unknown>

async function find(requestId: string): Promise<Entry[]> {
  await app.writeFigures()
  const answer = await app.as(operator, { url: `/api/operator/requests/${requestId}` })
  if (answer.statusCode === 404) return []
  expect(answer.statusCode, answer.body).toBe(200)
  expectToMatch(RequestResponse, answer.json())
  return answer.json().data.requests
}

async function list(query = ''): Promise<Entry[]> {
  await app.writeFigures()
  const answer = await app.as(operator, { url: `/api/operator/requests${query}` })
  expect(answer.statusCode, answer.body).toBe(200)
  expectToMatch(RequestList, answer.json())
  return answer.json().data
}

test('every call is found by the request id of its response', async () => {
  const id = `bkg_${'0'.repeat(20)}`
  const answer = await app.as(client, { url: `/api/accommodation/bookings/${id}?x=canary` })
  const [entry, ...more] = await find(String(answer.headers['x-request-id']))
  expect(more).toEqual([])
  expect(entry).toMatchObject({
    operation: 'booking.show',
    method: 'GET',
    path: '/api/accommodation/bookings/{booking_id}',
    status: 404,
    code: 'booking_not_found',
    account_id: expect.stringMatching(/^acc_/),
    key_id: null,
    simulated: false,
    booking_id: id,
    search_id: null,
  })
})

test('text in a path that is not an id of ours is not stored', async () => {
  const answer = await app.as(client, { url: '/api/accommodation/bookings/Ada%20Lovelace' })
  expect(await find(String(answer.headers['x-request-id']))).toMatchObject([
    { path: '/api/accommodation/bookings/{booking_id}', booking_id: null },
  ])
  const lost = await app.as(client, { url: '/api/Ada%20Lovelace' })
  expect(await find(String(lost.headers['x-request-id']))).toMatchObject([{ path: 'no such path' }])
})

test('a search and a booking are found with the ids they created', async () => {
  const simulated = { 'x-simulate-return': 'success' }
  const found = await app.as(client, {
    method: 'POST',
    url: '/api/accommodation_searches/search',
    headers: { ...simulated, 'x-request-id': 'my-search' },
    payload: {
      destination_id: findLocationId('Paris'),
      check_in: '2027-03-12',
      check_out: '2027-03-14',
      occupancies: [{ adults: 2 }],
    },
  })
  const { search_id: searchId, availability } = found.json().data
  expect(await find('my-search')).toMatchObject([{ search_id: searchId, simulated: true, status: 200 }])
  const query = `search_id=${searchId}&property_id=${availability[0].property_id}`
  const detail = await app.as(client, { url: `/api/accommodation_searches/accommodation?${query}` })
  expect(await find(String(detail.headers['x-request-id']))).toMatchObject([{ search_id: searchId }])
  const [room] = detail.json().accommodation.available_rooms
  const booked = await app.as(client, {
    method: 'POST',
    url: '/api/accommodation/book',
    headers: { ...simulated, 'x-request-id': 'my-booking' },
    payload: room.booking_info,
  })
  expect(await find('my-booking')).toMatchObject([
    { booking_id: booked.json().data.booking_id, operation: 'booking.create' },
  ])
})

test('the latest errors are found with a filter', async () => {
  const headers = { 'x-request-id': 'my-errors' }
  await app.as(client, { url: '/api/locations/search?starts_with=paris', headers })
  await app.as(client, { url: '/api/accommodation/bookings/bkg_0', headers })
  app.clock.advance(1_000)
  await app.call({ url: '/api/nothing/here', headers })
  const errors = await list(
    '?filters[0][field]=status&filters[0][op]=>=&filters[0][value]=400&filters[1][field]=request_id&filters[1][value]=my-errors',
  )
  expect(errors.map(({ operation, code }) => [operation, code])).toEqual([
    ['unmatched', 'not_found'],
    ['booking.show', 'booking_not_found'],
  ])
})

test('the query, body, headers and address of a request are not stored', async () => {
  await app.as(client, {
    method: 'POST',
    url: '/api/webhooks?x=canary1',
    headers: { 'user-agent': 'canary2' },
    remoteAddress: '203.0.113.99',
    payload: { url: 'https://example.com/canary3' },
  })
  await app.writeFigures()
  const rows = JSON.stringify(await database.read.selectFrom('requests').selectAll().execute())
  expect(rows).toContain('webhooks.create')
  expect(rows).not.toMatch(/canary|203\.0\.113|sr[ktp]_/)
})

test('probes, files and documents are not logged as requests', async () => {
  const count = async () => (await database.read.selectFrom('requests').selectAll().execute()).length
  await app.writeFigures()
  const before = await count()
  for (const url of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs/errors', '/', '/wp-login.php'])
    await app.call({ url })
  await app.writeFigures()
  expect(await count()).toBe(before)
})

test('only operators see requests, and an unknown request id returns 404', async () => {
  for (const url of ['/api/operator/requests', '/api/operator/requests/req_0'])
    expect((await app.as(client, { url })).statusCode).toBe(403)
  const unknown = await app.as(operator, { url: '/api/operator/requests/req_0' })
  expect(unknown.statusCode).toBe(404)
  expect(unknown.json().detail).toContain('kept for 7 days')
})

test('requests that exceed the log’s capacity are counted in the metrics', async () => {
  for (let count = 0; count < 15; count += 1) await app.call({ url: '/api/accommodation/bookings' })
  const { body } = await app.call({ url: '/metrics' })
  expect(body).toMatch(/serai_request_log_dropped_total [1-9]/)
})

test('no request is stored if the request log is disabled', async () => {
  await app.close()
  await start({ requestLog: false })
  const answer = await app.as(client, { url: '/api/accommodation/bookings' })
  expect(answer.statusCode).toBe(200)
  expect(await find(String(answer.headers['x-request-id']))).toEqual([])
  expect(await list()).toEqual([])
})
