import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBookingQueue } from '../../../src/booking/booking-queue.ts'
import { type LedgerApp, ledgerApp, type Room } from '../../support/app/ledger-app.ts'

let app: LedgerApp
beforeAll(async () => {
  app = await ledgerApp()
})
afterAll(() => app.close())

const POSTS = 240

/** Finds a room of the same vendor for the other account. */
async function findRoomForOtherAccount(vendorId: string): Promise<Room> {
  const ask = (url: string, payload?: object) =>
    app.as(app.otherToken, payload === undefined ? { url } : { method: 'POST', url, payload })
  const places = await ask('/api/locations/search?starts_with=Zermatt')
  const [saved] = (await app.request({ url: '/api/accommodation_searches' })).json().data
  const search = await ask('/api/accommodation_searches/search', {
    destination_id: places.json().data[0].id,
    check_in: saved.check_in,
    check_out: saved.check_out,
    occupancies: [{ adults: 2 }],
    currency: 'EUR',
    timeout_ms: 15_000,
  })
  const { search_id: id, availability } = search.json().data
  for (const { property_id } of availability) {
    const url = `/api/accommodation_searches/accommodation?search_id=${id}&property_id=${property_id}&raw=true`
    const rooms: Room[] = (await ask(url)).json().available_rooms
    const found = rooms.find((room) => room.vendor_id === vendorId)
    if (found !== undefined) return found
  }
  throw new Error('The other account finds no room.')
}

test('240 bookings of one account during a slow price check do not make another account’s booking fail', async () => {
  const myRoom = await app.room('hotelbeds')
  const othersRoom = await findRoomForOtherAccount(myRoom.vendor_id)
  const before = (await app.ledger()).length
  await app.faults({ kind: 'latency', operation: 'price_check', ms: 2_000 })
  const flood = Array.from({ length: POSTS }, (_, n) =>
    app.book(myRoom.booking_info, { 'idempotency-key': `flood-${n}` }),
  )
  await new Promise((later) => setTimeout(later, 200))
  const begun = performance.now()
  const answer = await app.book(othersRoom.booking_info, { 'idempotency-key': 'fair' }, app.otherToken)
  const tookMs = performance.now() - begun
  expect(answer.statusCode, answer.body).toBe(201)
  // Allows for its own slow check, but not for waiting behind the other account.
  expect(tookMs).toBeLessThan(2 * 2_000 + 1_500)

  const answers = await Promise.all(flood)
  await app.noFaults()
  const codes = new Map<string, number>()
  for (const response of answers) {
    const code = response.statusCode === 201 ? '201' : `${response.statusCode} ${response.json().code}`
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  console.log('Responses to the flooding account:', codes)
  expect([...codes.keys()].sort()).toEqual(['201', '422 offer_used', '503 overloaded'])
  for (const response of answers.filter(({ statusCode }) => statusCode === 503))
    expect(response.headers['retry-after']).toBe('2')
  // One offer makes one booking, and a 503 means that nothing was sent.
  expect(codes.get('201')).toBe(1)
  expect((await app.ledger()).length - before).toBe(2)
}, 120_000)

test('an account may take half of the free places, and waiting bookings enter by turns or time out', async () => {
  const line = createBookingQueue({ running: 8, waitingPerAccount: 2, waiting: 3, waitMs: 150 })
  const a = await Promise.all([1, 2, 3, 4].map(() => line.enter('a', 'v')))
  const order: string[] = []
  const enter = (account: string) =>
    line.enter(account, 'v').then((turn) => {
      order.push(account)
      return turn
    })
  const waiting = [enter('a'), enter('a')]
  await expect(line.enter('a', 'v'), 'the queue of the account is full').rejects.toMatchObject({ code: 'overloaded' })
  const b = await Promise.all([enter('b'), enter('b')])
  expect(order).toEqual(['b', 'b'])
  const third = enter('b')
  await expect(enter('b'), 'the queue of the vendor is full').rejects.toMatchObject({
    code: 'overloaded',
    retryAfterMs: 2_000,
  })
  a[0]?.[Symbol.dispose]()
  a[1]?.[Symbol.dispose]()
  a[2]?.[Symbol.dispose]()
  await waiting[0]
  expect(order).toContain('a')
  b[0]?.[Symbol.dispose]()
  await third
  await expect(line.enter('a', 'another vendor'), 'another vendor has its own queue').resolves.toBeDefined()
  await waiting[1]?.catch((error) => expect(error).toMatchObject({ code: 'overloaded' }))
})
