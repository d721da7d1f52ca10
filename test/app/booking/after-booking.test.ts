import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BookingChange } from '../../../sandbox/server/booking-changes.ts'
import { HistoryResponse } from '../../../src/booking/schemas/after-booking.ts'
import { authorize } from '../../../src/vendors/expedia_rapid/authorize.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

const BOOKINGS = '/api/accommodation/bookings'
const MINUTE = 60_000

let app: SearchApp
beforeAll(async () => {
  app = await searchApp({ readingsPerMinute: 6_000 })
  await searchUntilComplete(app)
})
afterAll(() => app.close())

const show = async (id: string, token = app.token) =>
  (await app.as(token, { method: 'GET', url: `${BOOKINGS}/${id}` })).json().data
const openCodes = (data: { discrepancies: { code: string; until: string | null }[] }) =>
  data.discrepancies.filter(({ until }) => until === null).map(({ code }) => code)

describe('simulated bookings and the test clock', () => {
  let bodies = 0
  const book = async (value: string) => {
    bodies += 1
    const headers = { 'x-simulate-return': value }
    const payload = { a: `${value} ${bodies}` }
    const booked = await app.as(app.token, { method: 'POST', url: '/api/accommodation/book', payload, headers })
    expect(booked.statusCode, booked.body.slice(0, 300)).toBe(201)
    expect(booked.json().data.status).toBe('confirmed')
    return String(booked.json().data.booking_id)
  }
  const advance = (hours: unknown, token = app.token) =>
    app.as(token, { method: 'POST', url: '/api/test/clock', payload: { advance_hours: hours } })

  test('after vendor_cancels, the next reading finds the booking cancelled by the vendor', async () => {
    const id = await book('vendor_cancels')
    const answer = await advance(1)
    expect(answer.statusCode, answer.body).toBe(200)
    const data = await show(id)
    expect([data.status, openCodes(data)]).toEqual(['cancelled', ['cancelled_by_vendor']])
    expect(data.events.at(-2)).toMatchObject({ to: 'cancelled', actor: { kind: 'vendor', id: 'simulator_a' } })
    expect(data.rooms).toEqual([{ number: 1, status: 'cancelled' }])
  })

  test('after other_hotel, the next reading finds the booking confirmed for another hotel', async () => {
    const id = await book('other_hotel')
    await advance(1)
    const data = await show(id)
    expect([data.status, openCodes(data)]).toEqual(['needs_review', ['property_differs']])
    expect(data.discrepancies[0].vendor_says).toMatchObject({ name: 'Hotel Elsewhere' })
  })

  test('after success, readings until arrival find no difference, deadlines pass, and other accounts’ clocks are unaffected', async () => {
    const id = await book('success')
    const preview = async () =>
      (await app.as(app.token, { method: 'POST', url: `${BOOKINGS}/${id}/cancel?preview=true` })).json().data
    const before = await preview()
    const first = Date.parse((await advance(24)).json().data.now)
    const second = Date.parse((await advance(24 * 28)).json().data.now)
    expect(second - first).toBe(24 * 28 * 60 * MINUTE)
    const data = await show(id)
    expect([data.status, data.discrepancies]).toEqual(['confirmed', []])
    const history = (await app.get(`${BOOKINGS}/${id}/history`)).json()
    expectToMatch(HistoryResponse, history)
    expect(history.data.readings).toHaveLength(2)
    const after = await preview()
    if (before.cancel_policy.cancelation === 'free') expect(after.penalty).toBeGreaterThan(before.penalty)
    expect(Date.parse((await advance(1, app.otherToken)).json().data.now)).toBeLessThan(first)
  })

  test('the history of another account’s booking is an empty sample in the simulation and a 404 otherwise', async () => {
    const id = await book('success')
    await advance(24)
    const url = `${BOOKINGS}/${id}/history`
    expect((await app.get(url)).json().data.readings).not.toEqual([])
    const asked = await app.as(app.otherToken, { url, headers: { 'x-simulate-return': 'success' } })
    expect(asked.statusCode).toBe(200)
    expect(asked.json().data.readings).toEqual([])
    expect((await app.as(app.otherToken, { url })).statusCode).toBe(404)
  })

  test.each([0, -1, 'x', 1e9, undefined])('advance_hours %s is refused with the name of the field', async (hours) => {
    const answer = await advance(hours)
    expect([answer.statusCode, answer.json().errors[0].field]).toEqual([422, 'advance_hours'])
  })
})

/** Makes a real booking at a stand-in. */
async function bookAt(vendorId: string, more: { occupancies?: object[] } = {}) {
  const { search_id, availability } = await app.search({ vendors: [vendorId], ...more })
  for (const { property_id } of availability.slice(0, 5)) {
    const { accommodation } = (await app.detail(search_id, property_id)).json()
    const payload = {
      ...accommodation.available_rooms[0]?.booking_info,
      guests: (more.occupancies ?? [{}]).map(() => ({ given_name: 'Ada', family_name: 'Lovelace' })),
    }
    const booked = await app.as(app.token, { method: 'POST', url: '/api/accommodation/book', payload })
    if (booked.statusCode === 201) return booked.json().data
  }
  throw new Error('Nothing could be booked.')
}

const control = (vendorId: string) => {
  const found = Object.entries(app.sandbox.control).find(([id]) => id === vendorId)?.[1]
  if (found === undefined) throw new Error(`${vendorId} has no stand-in.`)
  return found
}

describe.each(['expedia_rapid', 'hotelbeds', 'liteapi'])('bookings at %s', (vendorId) => {
  test.each<[BookingChange, string, string]>([
    ['cancel', 'cancelled_by_vendor', 'cancelled'],
    ['other_hotel', 'property_differs', 'needs_review'],
    ['other_dates', 'dates_differ', 'needs_review'],
    ['reprice', 'price_differs', 'confirmed'],
    ['other_guest', 'guests_differ', 'confirmed'],
    ['vanish', 'not_found', 'needs_review'],
  ])(
    'a silent change by the vendor (%s) is detected as %s, and the booking becomes %s',
    async (change, code, status) => {
      const { booking_id: id, reference } = await bookAt(vendorId)
      await control(vendorId).changeBooking(reference, change)
      app.clock.advance(13 * MINUTE)
      await app.readBookings()
      if (change === 'vanish') {
        expect((await show(id)).status).toBe('confirmed')
        app.clock.advance(40 * MINUTE)
        await app.readBookings()
      }
      const data = await show(id)
      expect([data.status, openCodes(data)]).toEqual([status, expect.arrayContaining([code])])
      expect(await show(id, app.otherToken)).toBeUndefined()
    },
  )

  test('new guests and requests are recorded as an event and cause no discrepancy later', async () => {
    const { booking_id: id } = await bookAt(vendorId)
    const amend = (payload: object, token = app.token) =>
      app.as(token, { method: 'PATCH', url: `${BOOKINGS}/${id}`, payload })
    const guests = [{ given_name: 'Grace', family_name: 'Hopper' }]
    const answer = await amend({ guests, special_requests: 'A quiet room' })
    if (vendorId === 'liteapi') {
      expect(answer.json(), 'the vendor only changes guests by hand').toMatchObject({
        status: 409,
        code: 'not_amendable',
      })
      return
    }
    expect(answer.statusCode, answer.body).toBe(200)
    const data = await show(id)
    expect(data).toMatchObject({ status: 'confirmed', guests, special_requests: 'A quiet room' })
    expect(data.events.at(-1)).toMatchObject({ type: 'booking.amended', actor: { kind: 'account' } })
    expect(data.events.at(-1).request_id).toBe(answer.headers['x-request-id'])
    app.clock.advance(13 * MINUTE)
    await app.readBookings()
    expect(openCodes(await show(id))).toEqual([])
    expect((await amend({ guests: [...guests, ...guests] })).statusCode).toBe(422)
    expect((await amend({ guests }, app.otherToken)).statusCode).toBe(404)
    await app.as(app.token, { method: 'POST', url: `${BOOKINGS}/${id}/cancel` })
    expect((await amend({ guests })).json()).toMatchObject({ status: 409, code: 'not_amendable' })
  })
})

test('a change that costs more shows the new total, and is made with the accepted total, which the next reading confirms', async () => {
  const { booking_id: id, total_price: total, currency } = await bookAt('hotelbeds')
  await control('hotelbeds').change({ dearChanges: 1 })
  const amend = (payload: object) => app.as(app.token, { method: 'PATCH', url: `${BOOKINGS}/${id}`, payload })
  const wanted = { special_requests: 'A quiet room' }
  const refused = await amend(wanted)
  const newTotal = Math.round(100 * (total + 10)) / 100
  expect(refused.json()).toMatchObject({
    status: 409,
    code: 'price_changed',
    effect: 'none',
    old_total: total,
    new_total: newTotal,
    currency,
    changes: [{ what: 'total_price', shown: { amount: total, currency }, now: { amount: newTotal, currency } }],
  })
  expect(await show(id)).toMatchObject({ special_requests: '', total_price: total })
  const done = await amend({ ...wanted, accept_price_up_to: refused.json().new_total })
  await control('hotelbeds').change({ dearChanges: 0 })
  expect(done.statusCode, done.body).toBe(200)
  expect(done.json().data).toMatchObject({ ...wanted, total_price: newTotal })
  app.clock.advance(13 * MINUTE)
  await app.readBookings()
  const data = await show(id)
  expect([data.total_price, openCodes(data)]).toEqual([newTotal, []])
})

test('a change without any known field is refused with 422, and neither the vendor nor the history is affected', async () => {
  const { booking_id: id } = await bookAt('hotelbeds')
  const before = (await show(id)).events
  const guests = [{ given_name: 'Grace', family_name: 'Hopper' }]
  for (const payload of [{}, { guest: guests }, { guests: null, special_requests: null }]) {
    const answer = await app.as(app.token, { method: 'PATCH', url: `${BOOKINGS}/${id}`, payload })
    expect(answer.json()).toMatchObject({ status: 422, errors: [{ field: 'body', code: 'required' }] })
  }
  expect((await show(id)).events).toEqual(before)
})

test('a cancellation that stops after the first of two rooms shows the status of each room until an operator resolves it', async () => {
  const occupancies = [{ adults: 2 }, { adults: 1 }]
  const { booking_id: id } = await bookAt('expedia_rapid', { occupancies })
  const url = `${BOOKINGS}/${id}`
  await control('expedia_rapid').addFaults({ kind: 'error_before', operation: 'cancel', after: 1, times: 1 })
  const asked = await app.as(app.token, { method: 'POST', url: `${url}/cancel` })
  expect([asked.statusCode, asked.json().data.status]).toEqual([202, 'cancelling'])
  for (let round = 0; round < 40 && (await show(id)).status === 'cancelling'; round += 1) {
    app.clock.advance(MINUTE)
    await app.settleBookings()
  }
  const rooms = [
    { number: 1, status: 'cancelled' },
    { number: 2, status: 'confirmed' },
  ]
  expect(await show(id)).toMatchObject({ status: 'needs_review', rooms })
  expect(openCodes(await show(id))).toEqual(['room_cancelled'])
  expect((await app.as(app.token, { method: 'POST', url: `${url}/cancel` })).json().code).toBe('not_cancellable')

  const payload = { status: 'confirmed', rooms: ['cancelled', 'confirmed'], reason: 'asked by phone' }
  const resolve = { method: 'POST', url: `/api/operator/bookings/${id}/resolve`, payload } as const
  const ended = await app.as(await operatorToken(app), resolve)
  expect(ended.statusCode, ended.body).toBe(200)
  expect(await show(id)).toMatchObject({ status: 'confirmed', rooms })
  const voucher = await app.as(app.token, {
    method: 'GET',
    url: `${url}/voucher`,
    headers: { accept: 'application/json' },
  })
  expect(voucher.json().data.rooms.map((room: { adults: number }) => room.adults)).toEqual([1])

  const again = await app.as(app.token, { method: 'POST', url: `${url}/cancel` })
  expect([again.statusCode, again.json().data?.status], again.body).toEqual([200, 'cancelled'])
  expect((await show(id)).rooms.map(({ status }: { status: string }) => status)).toEqual(['cancelled', 'cancelled'])
})

test('the vendor’s list of cancelled bookings triggers a reading of those that are confirmed here', async () => {
  const { booking_id: id, reference } = await bookAt('hotelbeds')
  app.clock.advance(13 * MINUTE)
  while ((await app.readBookings()) > 0);
  await control('hotelbeds').changeBooking(reference, 'cancel')
  app.clock.advance(7 * 60 * MINUTE)
  expect(await app.watchLists()).toBeGreaterThanOrEqual(1)
  expect(await app.watchLists(), 'it is not due again').toBe(0)
  await app.readBookings()
  expect((await show(id)).status).toBe('cancelled')
})

describe('notifications of Rapid', () => {
  const notify = (body: object, headers: Record<string, string> = {}, vendorId = 'expedia_rapid') =>
    app.http.inject({ method: 'POST', url: `/api/vendors/${vendorId}/notifications`, payload: body, headers })
  const signed = (secret = 'sandbox-rapid-secret') =>
    authorize({ apiKey: 'sandbox-rapid', sharedSecret: secret }, app.clock)
  const message = (reference: string) => ({
    event_id: 'e1',
    event_type: 'itinerary.supplier.cancel',
    affiliate_reference_id: reference,
  })

  test('a notification triggers a reading of the booking, however often it arrives, and needs a valid signature', async () => {
    const { booking_id: id, reference } = await bookAt('expedia_rapid')
    await control('expedia_rapid').changeBooking(reference, 'cancel')
    expect((await notify(message(reference))).statusCode).toBe(401)
    expect((await notify(message(reference), signed('another'))).statusCode).toBe(401)
    expect((await notify(message(reference), signed(), 'hotelbeds')).statusCode).toBe(404)
    for (let times = 0; times < 3; times += 1) {
      const taken = await notify(message(reference), signed())
      expect([taken.statusCode, taken.json()]).toEqual([200, { data: { known: true } }])
    }
    const old = signed()
    app.clock.advance(6 * MINUTE)
    expect((await notify(message(reference), old)).statusCode).toBe(401)
    expect((await notify(message('UNKNOWN_REF'), signed())).json()).toEqual({ data: { known: false } })
    await app.readBookings()
    expect((await show(id)).status).toBe('cancelled')
  })
})
