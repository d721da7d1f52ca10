import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { simulatedTraffic } from './simulated-traffic.ts'

/** Sends a request; each may reach a different process. */
type SendAnywhere = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly status: number; readonly text: string }>

const SUCCESS = { 'x-simulate-return': 'success' }
const BOOK = '/api/accommodation/book'

/** A complete simulated booking; every process must see the changes of the others. */
export async function simulatedJourney(send: SendAnywhere, name: string): Promise<void> {
  async function data(method: string, path: string, body?: unknown) {
    const answer = await send(method, path, body, SUCCESS)
    expect(answer.status, `${method} ${path}: ${answer.text.slice(0, 300)}`).toBe(200)
    return JSON.parse(answer.text)
  }
  const { path, body } = simulatedTraffic(name)(2)
  const search = (await data('POST', path, body)).data
  const found = await data('GET', `/api/accommodation_searches/${search.search_id}/availability?limit=3`)
  const propertyId = search.availability[0].property_id
  expect(found.data.map(({ property_id }: { property_id: string }) => property_id)).toContain(propertyId)
  const query = `search_id=${search.search_id}&property_id=${propertyId}&raw=true`
  const detail = await data('GET', `/api/accommodation_searches/accommodation?${query}`)
  const room = detail.available_rooms.find(({ refundable }: { refundable: boolean }) => refundable)

  const keyed = { ...SUCCESS, 'idempotency-key': `${name}-key` }
  const order = { ...room.booking_info, client_reference: name }
  const booked = await send('POST', BOOK, order, keyed)
  expect([booked.status, (await send('POST', BOOK, order, keyed)).text]).toEqual([201, booked.text])
  const booking = JSON.parse(booked.text).data
  const address = `/api/accommodation/bookings/${booking.booking_id}`
  expect((await data('GET', address)).data.vendor_reference).toBe(booking.vendor_reference)
  await cancelAndCheck(data, address)

  // Any process can settle a lost answer.
  const lost = { 'x-simulate-return': 'vendor_timeout', 'idempotency-key': `${name}-lost` }
  const again = { ...detail.available_rooms[1].booking_info, client_reference: `${name}-lost` }
  const waiting = await send('POST', BOOK, again, lost)
  expect(waiting.status).toBe(202)
  const doubtful = `/api/accommodation/bookings/${JSON.parse(waiting.text).data.booking_id}`
  for (let tries = 0; (await data('GET', doubtful)).data.status !== 'confirmed'; tries += 1) {
    expect(tries, 'the lost booking was not found within 15 s').toBeLessThan(75)
    await sleep(200)
  }
  await cancelAndCheck(data, doubtful)
}

type Data = (method: string, path: string) => Promise<{ data: Record<string, unknown> }>

async function cancelAndCheck(data: Data, address: string): Promise<void> {
  const preview = (await data('POST', `${address}/cancel?preview=true`)).data
  const done = (await data('POST', `${address}/cancel`)).data
  expect([done.status, done.penalty]).toEqual(['cancelled', preview.penalty])
  expect((await data('GET', address)).data.status).toBe('cancelled')
}
