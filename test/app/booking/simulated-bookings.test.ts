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
