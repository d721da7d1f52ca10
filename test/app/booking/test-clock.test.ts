import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../support/app/app.ts'

const HOUR = 3_600_000
const BOOKINGS = '/api/accommodation/bookings'
let app: TestApp
let token: string
beforeAll(async () => {
  app = await testApp()
  token = await app.signIn()
})
afterAll(() => app.close())

let bodies = 0
async function book(as: string, simulate = 'success'): Promise<string> {
  bodies += 1
  const headers = { 'x-simulate-return': simulate }
  const url = '/api/accommodation/book'
  const booked = await app.as(as, { method: 'POST', url, payload: { a: `clock ${bodies}` }, headers })
  expect(booked.statusCode, booked.body).toBe(201)
  return booked.json().data.booking_id
}
async function createKey(): Promise<string> {
  const payload = { name: 'test', mode: 'test', scopes: ['search', 'book', 'read', 'cancel'] }
  return (await app.as(token, { method: 'POST', url: '/api/accounts/keys', payload })).json().data.key
}
const advance = (as: string, payload: object) => app.as(as, { method: 'POST', url: '/api/test/clock', payload })
const hoursAhead = async (as: string) =>
  Math.round((Date.parse((await app.as(as, { url: '/api/test/clock' })).json().data.now) - app.clock.now()) / HOUR)
const status = async (as: string, id: string) => (await app.as(as, { url: `${BOOKINGS}/${id}` })).json().data.status

test('each test key and the account have clocks of their own, which move only their own bookings', async () => {
  const [first, second] = [await createKey(), await createKey()]
  const [byFirst, bySecond, byAccount] = [
    await book(first, 'vendor_cancels'),
    await book(second, 'vendor_cancels'),
    await book(token, 'vendor_cancels'),
  ]
  await advance(first, { advance_hours: 24 })
  expect([await hoursAhead(first), await hoursAhead(second), await hoursAhead(token)]).toEqual([24, 0, 0])
  const seen = async () => [await status(token, byFirst), await status(token, bySecond), await status(token, byAccount)]
  expect(await seen()).toEqual(['cancelled', 'confirmed', 'confirmed'])
  await advance(token, { advance_hours: 2 })
  expect(await seen()).toEqual(['cancelled', 'confirmed', 'cancelled'])
  expect([await hoursAhead(first), await hoursAhead(second), await hoursAhead(token)]).toEqual([24, 0, 2])
  const later = (await app.as(first, { url: `${BOOKINGS}/${await book(first)}` })).json().data
  expect(Date.parse(later.events[0].at)).toBe(app.clock.now() + 24 * HOUR)
})

test('a reset clock shows the real time, and later bookings and readings follow it', async () => {
  const key = await createKey()
  const id = await book(key)
  await advance(key, { advance_hours: 300 })
  const readings = async () => (await app.as(key, { url: `${BOOKINGS}/${id}/history` })).json().data.readings.length
  const before = await readings()
  const reset = await app.as(key, { method: 'DELETE', url: '/api/test/clock' })
  expect([reset.statusCode, Date.parse(reset.json().data.now)]).toEqual([200, app.clock.now()])
  expect(await hoursAhead(key)).toBe(0)
  await advance(key, { advance_hours: 1 })
  expect(await readings(), 'the next reading is as far away as it was').toBe(before)
  expect(await hoursAhead(key)).toBe(1)
})

test('the clock can be at most 400 days ahead, in one step or in several', async () => {
  const key = await createKey()
  expect((await advance(key, { advance_hours: 9_600 })).statusCode).toBe(200)
  const refused = await advance(key, { advance_hours: 0.5 })
  expect([refused.statusCode, refused.json().errors[0]]).toEqual([
    422,
    { field: 'advance_hours', code: 'out_of_range', message: expect.stringContaining('400 days') },
  ])
  expect(await hoursAhead(key), 'it stays where it was').toBe(9_600)
  const id = await book(await createKey())
  expect((await advance(key, { advance_hours: 1, booking_id: id })).statusCode, 'of another key').toBe(404)
})

test('one booking can be moved without the clock and without the other bookings', async () => {
  const [id, other] = [await book(token, 'vendor_cancels'), await book(token, 'vendor_cancels')]
  const before = await hoursAhead(token)
  const moved = await advance(token, { advance_hours: 3, booking_id: id })
  expect(Date.parse(moved.json().data.now)).toBe(app.clock.now() + (before + 3) * HOUR)
  expect([await status(token, id), await status(token, other)]).toEqual(['cancelled', 'confirmed'])
  expect(await hoursAhead(token)).toBe(before)
  expect((await advance(token, { advance_hours: 1, booking_id: 'bkg_unknown' })).statusCode).toBe(404)
})

test('the same body is another offer under each simulation value, and the same one under the same value', async () => {
  const bookAs = async (simulate: string) => {
    const headers = { 'x-simulate-return': simulate }
    const booked = await app.as(token, {
      method: 'POST',
      url: '/api/accommodation/book',
      payload: { a: 'once' },
      headers,
    })
    return [booked.statusCode, booked.json().data?.booking_id]
  }
  const [[, first], [, second]] = [await bookAs('success'), await bookAs('vendor_cancels')]
  expect(second).not.toBe(first)
  expect(await bookAs('success')).toEqual([201, first])
  expect((await bookAs('vendor_refuses'))[0]).toBe(409)
})
