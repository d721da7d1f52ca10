import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/store/database.ts'
import { EventList } from '../../../src/webhooks/schemas.ts'
import { createEventStore } from '../../../src/webhooks/store/events.ts'
import { OTHER_ACCOUNT, type TestApp, testApp } from '../../support/app/app.ts'
import { UNLIMITED } from '../../support/app/ledger-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { startReceiver } from '../../support/http/webhook-receiver.ts'
import { openMigrated } from '../../support/store/migrated-database.ts'

const DAY_MS = 86_400_000
const simulated = { 'x-simulate-return': 'success' }

let app: TestApp
let database: Database
let token: string
let receiver: Awaited<ReturnType<typeof startReceiver>>
let bookingId: string
beforeAll(async () => {
  database = await openMigrated()
  app = await testApp(
    { allowPrivateWebhookTargets: true, allowances: UNLIMITED, tokenTtlMs: 1_000 * DAY_MS },
    { database },
  )
  token = await app.signIn()
  receiver = await startReceiver()
  await call({ method: 'POST', url: '/api/webhooks', payload: { url: receiver.url, events: ['booking.confirmed'] } })
  bookingId = await book('1')
  app.clock.advance(60_000)
  const url = `/api/accommodation/bookings/${bookingId}`
  await call({ method: 'POST', url: `${url}/cancel`, headers: simulated })
  app.clock.advance(60_000)
  await book('2')
  await app.deliverWebhooks()
})
afterAll(async () => {
  await receiver.stop()
  await app.close()
})

const call = (options: InjectOptions, as = token) => app.as(as, options)
const events = async (query = '', as = token) => {
  const answer = await call({ url: `/api/events?${query}` }, as)
  expect(answer.statusCode, answer.body).toBe(200)
  expectToMatch(EventList, answer.json())
  return answer.json()
}
async function book(bed: string): Promise<string> {
  const payload = {
    bed_id: bed,
    price_check_uri: '/api/accommodation/price_check?token=none',
    guests: [{ given_name: 'Canaria', family_name: 'Lindqvist', email: 'canaria@example.com' }],
    special_requests: 'a room without feathers',
  }
  const booked = await call({ method: 'POST', url: '/api/accommodation/book', payload, headers: simulated })
  return booked.json().data.booking_id
}

test('every event is listed, newest first, also those that no webhook subscribes to', async () => {
  const { data } = await events()
  expect(data.map(({ type }: { type: string }) => type)).toEqual([
    'booking.confirmed',
    'booking.cancelled',
    'booking.confirmed',
  ])
})

test('an event and its delivery have the same id and data', async () => {
  const { data } = await events(`filters[]=object_id:==<${bookingId}&filters[]=type:==<booking.confirmed`)
  const sent = receiver.received.find(({ headers }) => headers['webhook-id'] === data[0].id)
  expect(sent?.body).toMatchObject({ type: data[0].type, data: data[0].data })
  expect(Object.keys(sent?.body.data ?? {})).toEqual(Object.keys(data[0].data))
})

test('each event has the booking as it was then, which does not change later', async () => {
  const { data } = await events(`filters[]=object_id:==<${bookingId}&order_by[]=created_at`)
  expect([data[0].data.booking.status, data[1].data.booking.status]).toEqual(['confirmed', 'cancelled'])
  const {
    guests: _,
    contact: __,
    special_requests: ___,
    events: ____,
    ...current
  } = (await call({ url: `/api/accommodation/bookings/${bookingId}` })).json().data
  expect(data[1].data.booking).toEqual(current)
  expect(data[0].data.booking.cancellation).toBeNull()
})

test('neither persons nor net prices are in an event', async () => {
  const text = JSON.stringify(await events())
  for (const secret of ['Canaria', 'Lindqvist', 'canaria@example.com', 'feathers', '"net"'])
    expect(text).not.toContain(secret)
})

test('events can be filtered by time and walked with cursors', async () => {
  const since = new Date(app.clock.now() - 90_000).toISOString()
  expect((await events(`filters[]=created_at:>=<${encodeURIComponent(since)}`)).data).toHaveLength(2)
  const ids: string[] = []
  for (let url: string | undefined = '/api/events?first=1&order_by[]=created_at'; url !== undefined; ) {
    const answer = await call({ url })
    ids.push(...answer.json().data.map(({ id }: { id: string }) => id))
    url = /<([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1]
  }
  const all = (await events()).data.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(all.toReversed())
})

test('another account sees none of them, and a test key only simulated ones', async () => {
  expect((await events('', await app.signIn(OTHER_ACCOUNT))).data).toEqual([])
  const payload = { name: 'k', mode: 'test', scopes: ['read'] }
  const { key } = (await call({ method: 'POST', url: '/api/accounts/keys', payload })).json().data
  expect((await events('', key)).data).toHaveLength(3)
  expect((await events('filters[]=simulated:==<false')).data).toEqual([])
})

test('a key without the scope read is refused (403)', async () => {
  const payload = { name: 'k', mode: 'live', scopes: ['search'] }
  const { key } = (await call({ method: 'POST', url: '/api/accounts/keys', payload })).json().data
  expect((await call({ url: '/api/events' }, key)).json().code).toBe('insufficient_scope')
})

test('events are deleted after 30 days', async () => {
  app.clock.advance(29 * DAY_MS)
  await createEventStore(database).deleteOld(app.clock.now())
  expect((await events()).data).toHaveLength(3)
  app.clock.advance(2 * DAY_MS)
  await createEventStore(database).deleteOld(app.clock.now())
  expect((await events()).data).toEqual([])
})
