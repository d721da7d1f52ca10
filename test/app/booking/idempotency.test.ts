import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/store/database.ts'
import { testApp, testLocations } from '../../support/app/app.ts'
import { type LedgerApp, ledgerApp, UNLIMITED } from '../../support/app/ledger-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'serai-idempotency-'))
const path = join(folder, 'serai.db')
const keyed = (key: string) => ({ 'idempotency-key': key })

let app: LedgerApp
beforeAll(async () => {
  app = await ledgerApp({ booking: { patienceMs: 2_000 } }, { database: openDatabase({ kind: 'sqlite', path }) })
})
afterEach(() => app.noFaults())
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const bookings = async () =>
  (await app.request({ url: '/api/accommodation/bookings?page_size=1000' })).json().data.length

test('the same key and body get the first response again, byte for byte, and nothing is booked twice', async () => {
  const { booking_info: info } = await app.room()
  const first = await app.book(info, keyed('k-1'))
  const ledger = await app.ledger()
  for (let again = 0; again < 3; again += 1) {
    const replay = await app.book(info, keyed('k-1'))
    expect([replay.statusCode, replay.body, replay.headers['idempotent-replayed'], replay.headers.location]).toEqual([
      201,
      first.body,
      'true',
      first.headers.location,
    ])
  }
  expect(first.headers['idempotent-replayed']).toBeUndefined()
  expect(await app.ledger()).toEqual(ledger)
})

test('white space, the order of fields and quotes around the key do not make another request', async () => {
  const { booking_info: info } = await app.room()
  const first = await app.book({ ...info, client_reference: 'a', special_requests: 'b' }, keyed('k-2'))
  const turned = Object.entries({ special_requests: 'b', client_reference: 'a', ...info }).reverse()
  const replay = await app.request({
    method: 'POST',
    url: '/api/accommodation/book',
    payload: ` ${JSON.stringify(Object.fromEntries(turned), null, 4)} `,
    headers: { ...keyed('"k-2"'), 'content-type': 'application/json' },
  })
  expect([replay.statusCode, replay.body]).toEqual([201, first.body])
})

test('the final response to a key stays the same, whatever becomes of the booking', async () => {
  const { booking_info: info } = await app.room('expedia_rapid')
  await app.faults({ kind: 'reset_after', operation: 'book', times: 1 })
  const first = await app.book(info, keyed('k-3'))
  expect(first.statusCode).toBe(202)
  app.clock.advance(2_000)
  await app.settleBookings()
  const { booking_id: id } = first.json().data
  const shown = await app.request({ url: `/api/accommodation/bookings/${id}` })
  expect(shown.json().data.status).toBe('confirmed')
  await app.request({ method: 'POST', url: `/api/accommodation/bookings/${id}/cancel` })
  const replay = await app.book(info, keyed('k-3'))
  expect([replay.statusCode, replay.json().data.status]).toEqual([201, 'confirmed'])
  expect((await app.book(info, keyed('k-3'))).body).toBe(replay.body)
})

test('a refusal is replayed like any other response', async () => {
  const { booking_info: info } = await app.room()
  await app.faults({ kind: 'sold_out', operation: 'book', times: 1 })
  const first = await app.book(info, keyed('k-4'))
  expect([first.statusCode, first.json().code]).toEqual([409, 'sold_out'])
  const replay = await app.book(info, keyed('k-4'))
  expect([replay.statusCode, replay.body, replay.headers['content-type']]).toEqual([
    409,
    first.body,
    first.headers['content-type'],
  ])
})

test('a refusal before booking is not stored, so the same key may try again', async () => {
  const { booking_info: info } = await app.room()
  await app.faults({ kind: 'sold_out', operation: 'price_check', times: 1 })
  expect((await app.book(info, keyed('k-5'))).statusCode).toBe(409)
  await app.noFaults()
  expect((await app.book(info, keyed('k-5'))).statusCode).toBe(201)
})

test('a property that is fetched again after a booking offers other rooms that can be booked as well', async () => {
  await app.room()
  const query = `search_id=${app.searchId}&property_id=${app.propertyIds.at(-1)}`
  const roomNow = async (index: number) => {
    const { accommodation } = (await app.request({ url: `/api/accommodation_searches/accommodation?${query}` })).json()
    return accommodation.available_rooms[index].booking_info
  }
  expect((await app.book(await roomNow(0), keyed('k-twice-1'))).statusCode).toBe(201)
  expect((await app.book(await roomNow(1), keyed('k-twice-2'))).statusCode).toBe(201)
})

describe('422 idempotency_mismatch and offer_used', () => {
  test('a key that has a booking is refused with a body that is not an offer', async () => {
    const { booking_info: info } = await app.room()
    await app.book(info, keyed('k-no-offer'))
    const other = await app.book({ bed_id: 'no offer' }, keyed('k-no-offer'))
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_mismatch'])
    expect((await app.book({ bed_id: 'no offer' }, keyed('k-unused'))).json().code).toBe('offer_invalid')
  })

  test('a key is refused with a second body', async () => {
    const { booking_info: info } = await app.room()
    const first = await app.book(info, keyed('k-6'))
    const before = await bookings()
    const other = await app.book({ ...info, special_requests: 'late arrival' }, keyed('k-6'))
    expect([other.statusCode, other.json().code]).toEqual([422, 'idempotency_mismatch'])
    expect(other.json().booking_id).toBe(first.json().data.booking_id)
    const another = await app.book((await app.room()).booking_info, keyed('k-6'))
    expect(another.statusCode).toBe(422)
    expect(await bookings()).toBe(before)
  })

  test('an offer is refused under a second key and without a key', async () => {
    const { booking_info: info } = await app.room()
    const first = await app.book(info, keyed('k-7'))
    const before = await app.ledger()
    for (const answer of [await app.book(info, keyed('k-8')), await app.book(info)]) {
      expect([answer.statusCode, answer.json().code]).toEqual([422, 'offer_used'])
      expect(answer.json()).toMatchObject({ booking_id: first.json().data.booking_id, booking_status: 'confirmed' })
    }
    expect(await app.ledger()).toEqual(before)
  })

  test('an offer that its vendor rejected is used up, and the error says so', async () => {
    const { booking_info: info } = await app.room()
    await app.faults({ kind: 'sold_out', operation: 'book', times: 1 })
    const first = await app.book(info, keyed('k-refused-1'))
    const second = await app.book(info, keyed('k-refused-2'))
    expect([second.statusCode, second.json().code]).toEqual([422, 'offer_used'])
    expect(second.json()).toMatchObject({ booking_id: first.json().booking_id, booking_status: 'rejected' })
  })
})

test('a vendor’s 429 to a booking is retried and books once', async () => {
  const { booking_info: info } = await app.room()
  const before = await bookings()
  await app.faults({ kind: 'throttle', operation: 'book', times: 1 })
  // The first response is 202 if the vendor's pause is longer than clients wait.
  await expect
    .poll(async () => (await app.book(info, keyed('k-throttled'))).statusCode, { timeout: 15_000, interval: 500 })
    .toBe(201)
  await app.noFaults()
  expect(await bookings()).toBe(before + 1)
})

test('without a key the offer serves as the key', async () => {
  const { booking_info: info } = await app.room()
  const first = await app.book(info)
  const replay = await app.book(info)
  expect([first.statusCode, replay.statusCode, replay.body]).toEqual([201, 201, first.body])
})

test('the same key of two accounts does not collide', async () => {
  const { booking_info: info } = await app.room()
  await app.book(info, keyed('k-9'))
  const foreign = await app.book(info, keyed('k-9'), app.otherToken)
  expect([foreign.statusCode, foreign.json().code]).toEqual([422, 'offer_invalid'])
})

test('concurrent requests with the same key get 409 request_in_progress and retry-after', async () => {
  const { booking_info: info } = await app.room()
  await app.faults({ kind: 'latency', operation: 'book', times: 1, ms: 200 })
  const answers = await Promise.all([1, 2, 3, 4].map(() => app.book(info, keyed('k-10'))))
  const waiting = answers.filter(({ statusCode }) => statusCode === 409)
  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
  expect(waiting.map((answer) => [answer.json().code, answer.headers['retry-after']])).toEqual([
    ['request_in_progress', '1'],
    ['request_in_progress', '1'],
    ['request_in_progress', '1'],
  ])
})

test('a key still returns its response a year later, when offer and search are gone', async () => {
  const { booking_info: info } = await app.room()
  const first = await app.book(info, keyed('k-11'))
  app.clock.advance(365 * 24 * 3_600_000)
  const replay = await app.book(info, keyed('k-11'))
  expect([replay.statusCode, replay.body]).toEqual([201, first.body])
})

test('another process on the same database returns the same bytes without asking a vendor', async () => {
  const { booking_info: info } = await app.room()
  const first = await app.book(info, keyed('k-12'))
  const restarted = await testApp(
    { allowances: UNLIMITED },
    { clock: app.clock, database: openDatabase({ kind: 'sqlite', path }), locations: testLocations() },
  )
  const replay = await restarted.as(await restarted.signIn(), {
    method: 'POST',
    url: '/api/accommodation/book',
    payload: info,
    headers: keyed('k-12'),
  })
  expect([replay.statusCode, replay.body, replay.headers['idempotent-replayed']]).toEqual([201, first.body, 'true'])
  await restarted.close()
})
