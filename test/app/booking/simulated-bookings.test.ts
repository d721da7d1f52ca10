import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STAND_IN_IDS } from '../../../sandbox/stand-ins.ts'
import { BookingResponse, CancelResponse } from '../../../src/booking/schemas/bookings.ts'
import { countConnections, type SearchApp, searchApp, searchUntilComplete } from '../../support/app/search-app.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'

const NEVER_ISSUED = 'bkg_never_issued'
const BOOKINGS = '/api/accommodation/bookings'

let app: SearchApp
let realId: string
beforeAll(async () => {
  app = await searchApp()
  const { search_id, availability } = await searchUntilComplete(app)
  const { accommodation } = (await app.detail(search_id, availability[0]?.property_id ?? '')).json()
  const payload = accommodation.available_rooms[0].booking_info
  const booked = await app.as(app.token, { method: 'POST', url: '/api/accommodation/book', payload })
  expect(booked.statusCode, booked.body.slice(0, 300)).toBe(201)
  realId = booked.json().data.booking_id
})
afterAll(() => app.close())

const as = (value: string) => ({ headers: { 'x-simulate-return': value } })
const show = (id: string, value?: string) =>
  app.get(`${BOOKINGS}/${id}`, value === undefined ? { headers: {} } : as(value))
const cancel = (id: string, value: string, query = '') =>
  app.as(app.token, { method: 'POST', url: `${BOOKINGS}/${id}/cancel${query}`, ...as(value) })

describe('an id that was never issued', () => {
  test('an id that was never issued shows a confirmed, simulated booking', async () => {
    const answer = await show(NEVER_ISSUED, 'success')
    expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
    expectToMatch(BookingResponse, answer.json())
    expect(answer.json().data).toMatchObject({ booking_id: NEVER_ISSUED, status: 'confirmed', simulated: true })
    expect((await show(NEVER_ISSUED)).statusCode, 'nothing was kept').toBe(404)
  })

  test('an id that was never issued is previewed, then cancelled at the same price', async () => {
    const preview = await cancel(NEVER_ISSUED, 'success', '?preview=true')
    expectToMatch(CancelResponse, preview.json())
    expect(preview.json().data).toMatchObject({ booking_id: NEVER_ISSUED, status: 'confirmed', preview: true })
    const done = await cancel(NEVER_ISSUED, 'success')
    expect(done.statusCode).toBe(200)
    expect(done.json().data).toMatchObject({ status: 'cancelled', penalty: preview.json().data.penalty })
  })

  test.each(['vendor_error', 'vendor_timeout'])(
    'the cancellation of an id that was never issued stays open (202) on %s',
    async (value) => {
      const answer = await cancel(NEVER_ISSUED, value)
      expect(answer.statusCode).toBe(202)
      expect(answer.json().data.status).toBe('cancelling')
    },
  )

  test('an id that looks like a card number works like any other', async () => {
    expect((await show('4242424242424242', 'success')).json().data.status).toBe('confirmed')
    expect((await cancel('4242424242424242', 'success')).json().data.status).toBe('cancelled')
  })

  test('an id with an impossible format returns 404', async () => {
    expect((await cancel('a%20b', 'success')).statusCode).toBe(404)
    expect((await show('a%20b', 'success')).statusCode).toBe(404)
  })
})

describe('a test key', () => {
  let key: string
  beforeAll(async () => {
    const payload = { name: 'test', mode: 'test', scopes: ['search', 'book', 'read', 'cancel'] }
    key = (await app.as(app.token, { method: 'POST', url: '/api/accounts/keys', payload })).json().data.key
  })
  const UUID = '00000000-0000-4000-8000-000000000001'
  const SEARCHES = '/api/accommodation_searches'
  const anyBody = { bed_id: 'never issued' }
  const search = { destination_id: UUID, check_in: '2027-03-01', check_out: '2027-03-03', occupancies: [{ adults: 2 }] }

  test.each([
    ['booking', 'GET', `${BOOKINGS}/${NEVER_ISSUED}`, undefined, 'booking_not_found'],
    ['history', 'GET', `${BOOKINGS}/${NEVER_ISSUED}/history`, undefined, 'booking_not_found'],
    ['voucher', 'GET', `${BOOKINGS}/${NEVER_ISSUED}/voucher`, undefined, 'booking_not_found'],
    ['cancellation', 'POST', `${BOOKINGS}/${NEVER_ISSUED}/cancel`, undefined, 'booking_not_found'],
    ['amendment', 'PATCH', `${BOOKINGS}/${NEVER_ISSUED}`, { special_requests: 'x' }, 'booking_not_found'],
    ['availability', 'GET', `${SEARCHES}/${UUID}/availability`, undefined, 'search_not_found'],
    ['detail', 'GET', `${SEARCHES}/accommodation?search_id=${UUID}&property_id=p1`, undefined, 'search_not_found'],
    ['destination', 'POST', `${SEARCHES}/search`, search, 'location_not_found'],
    ['booking body', 'POST', '/api/accommodation/book', anyBody, 'offer_invalid'],
    ['price check', 'GET', '/api/accommodation/price_check?token=never_issued', undefined, 'offer_invalid'],
  ] as const)(
    'gets a sample of a %s that was never issued only with the header',
    async (_what, method, url, body, code) => {
      const request = { method, url, ...(body !== undefined && { payload: body }) }
      const refused = await app.as(key, request)
      expect([refused.statusCode, refused.json().code]).toEqual([code === 'offer_invalid' ? 422 : 404, code])
      const sample = await app.as(key, { ...request, ...as('success') })
      expect([200, 201], sample.body.slice(0, 300)).toContain(sample.statusCode)
    },
  )

  test('uses what it was issued without the header, but no real search and no real booking', async () => {
    const { search_id, availability } = await searchUntilComplete(app)
    const property = `property_id=${availability[0]?.property_id}`
    for (const url of [
      `${SEARCHES}/${search_id}/availability`,
      `${SEARCHES}/accommodation?search_id=${search_id}&${property}`,
      `${BOOKINGS}/${realId}`,
    ])
      expect((await app.as(key, { url })).statusCode, url).toBe(404)
    const own = (await app.as(key, { method: 'POST', url: `${SEARCHES}/search`, payload: app.body() })).json().data
    const [first] = own.availability
    const url = `${SEARCHES}/accommodation?search_id=${own.search_id}&property_id=${first.property_id}`
    const payload = (await app.as(key, { url })).json().accommodation.available_rooms[0].booking_info
    const booked = await app.as(key, { method: 'POST', url: '/api/accommodation/book', payload })
    expect([booked.statusCode, booked.json().data?.simulated]).toEqual([201, true])
    const unknown = `${SEARCHES}/accommodation?search_id=${own.search_id}&property_id=never_issued`
    expect((await app.as(key, { url: unknown })).json().code).toBe('property_not_found')
  })
})

test('a simulated cancellation affects neither a real booking nor its vendor', async () => {
  app.traffic.reset()
  const opened = await countConnections(async () => {
    const refused = await cancel(realId, 'success')
    expect(refused.json()).toMatchObject({ status: 409, code: 'not_cancellable' })
    expect((await show(realId, 'success')).json().data).toMatchObject({ status: 'confirmed', simulated: false })
  })
  expect(opened).toBe(0)
  expect(STAND_IN_IDS.flatMap((id) => app.traffic.calls(id))).toEqual([])
  expect((await show(realId)).json().data.status).toBe('confirmed')
})

test('a simulated booking is cancelled by the simulator, with or without the header', async () => {
  for (const value of ['success', undefined]) {
    const payload = { bed_id: String(value) }
    const booked = await app.as(app.token, {
      method: 'POST',
      url: '/api/accommodation/book',
      payload,
      ...as('success'),
    })
    const id = booked.json().data.booking_id
    const headers = value === undefined ? {} : as(value).headers
    const done = await app.as(app.token, { method: 'POST', url: `${BOOKINGS}/${id}/cancel`, headers })
    expect(done.json().data, done.body).toMatchObject({ booking_id: id, status: 'cancelled' })
  }
})
