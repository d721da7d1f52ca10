import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type LedgerApp, ledgerApp, type Room } from '../../support/app/ledger-app.ts'

let app: LedgerApp
beforeAll(async () => {
  app = await ledgerApp()
})
afterEach(() => app.noFaults())
afterAll(() => app.close())

const checkPrice = async (info: Room['booking_info']): Promise<Room['booking_info']> =>
  (await app.request({ url: info.price_check_uri ?? '' })).json().data.room.booking_info
const book = async (info: Room['booking_info'], key?: string) => {
  const answer = await app.book(info, key === undefined ? {} : { 'idempotency-key': key })
  return { status: answer.statusCode, ...answer.json() }
}
const cancel = (id: string) =>
  app.request({ method: 'POST', url: `/api/accommodation/bookings/${id}/cancel`, headers: {} })

/** A new offer of the first room of a property, at each call. */
async function openRoom() {
  await app.room()
  const query = `search_id=${app.searchId}&property_id=${app.propertyIds.at(-1)}&raw=true`
  const roomNow = async () => {
    const { available_rooms: rooms } = (
      await app.request({ url: `/api/accommodation_searches/accommodation?${query}` })
    ).json()
    const room: Room = rooms[0]
    return room.booking_info
  }
  return { roomNow }
}

test('check, book, check, book makes one booking, whatever the idempotency keys', async () => {
  const room = await app.room()
  const first = await book(await checkPrice(room.booking_info), 'first')
  expect(first.status).toBe(201)
  const before = await app.ledger()
  const used = { status: 422, code: 'offer_used', booking_id: first.data.booking_id }
  expect(await book(await checkPrice(room.booking_info), 'second')).toMatchObject(used)
  expect(await book(await checkPrice(room.booking_info))).toMatchObject(used)
  expect(await book(room.booking_info)).toMatchObject(used)
  expect(await app.ledger()).toEqual(before)
})

test('of concurrent bookings of one room of one search, one books and the others learn its id', async () => {
  const room = await app.room()
  const offers = await Promise.all([1, 2, 3].map(() => checkPrice(room.booking_info)))
  const answers = await Promise.all(offers.map((info, index) => book(info, `race-${index}`)))
  const made = answers.filter(({ status }) => status === 201)
  expect(made).toHaveLength(1)
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(answer).toMatchObject({ status: 422, code: 'offer_used', booking_id: made[0]?.data.booking_id })
})

test('a room that is fetched again cannot be booked twice, and is free again after its cancellation', async () => {
  const { roomNow } = await openRoom()
  const first = await book(await roomNow())
  expect(first.status).toBe(201)
  expect(await book(await roomNow())).toMatchObject({ code: 'offer_used', booking_id: first.data.booking_id })
  expect((await cancel(first.data.booking_id)).json().data.status).toBe('cancelled')
  const second = await book(await roomNow())
  expect([second.status, second.data?.booking_id === first.data.booking_id]).toEqual([201, false])
})

test('a room whose booking was rejected can be booked with a new offer', async () => {
  const room = await app.room()
  await app.faults({ kind: 'sold_out', operation: 'book', times: 1 })
  expect((await book(room.booking_info)).code).toBe('sold_out')
  await app.noFaults()
  expect((await book(await checkPrice(room.booking_info))).status).toBe(201)
})
