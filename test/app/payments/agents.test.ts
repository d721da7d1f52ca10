import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PaymentApp, paymentApp } from '../../support/payments/payment-app.ts'

let app: PaymentApp
beforeAll(async () => {
  app = await paymentApp()
})
afterAll(() => app.close())

let calls = 0
let session = ''
const headers = { accept: 'application/json, text/event-stream', host: '127.0.0.1' }
const post = (payload: object, more: Record<string, string> = {}) =>
  app.as(app.token, { method: 'POST', url: '/mcp', payload, headers: { ...headers, ...more } })

async function callTool(name: string, args: object) {
  calls += 1
  const payload = { jsonrpc: '2.0', id: calls, method: 'tools/call', params: { name, arguments: args } }
  const answer = await post(payload, { 'mcp-session-id': session })
  const [, data = answer.body] = /^data: (.*)$/m.exec(answer.body) ?? []
  return { body: answer.body, result: JSON.parse(data).result.structuredContent ?? JSON.parse(data).result }
}

test('an agent gets the amount and a link for the person, and cannot confirm before the person has paid', async () => {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const started = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
  session = String(started.headers['mcp-session-id'])
  const place = (await callTool('search_places', { query: 'Zermatt' })).result.places[0].id
  const dates = { check_in: '2027-02-24', check_out: '2027-02-26' }
  const stays = await callTool('search_stays', { place_id: place, ...dates, rooms: [{ adults: 2 }], currency: 'EUR' })
  const { search_id, stays: found } = stays.result
  const rooms = await callTool('get_rooms', { search_id, property_id: found[0].property_id })
  const prepared = await callTool('prepare_booking', {
    offer_id: rooms.result.rooms[0].offer_id,
    guests: [{ given_name: 'Ada', family_name: 'Lovelace' }],
  })
  const { payment, prepared_id, terms_digest } = prepared.result
  expect(payment.pay_link).toMatch(/\/pay\/pay_\w+$/)
  expect(payment.amount).toBeGreaterThan(0)
  expect(prepared.body).not.toContain('secret_canary')

  const early = await callTool('confirm_booking', { prepared_id, terms_digest })
  expect(early.body, early.body).toContain('payment_required')
  app.provider.confirm(payment.payment_id)
  const booked = await callTool('confirm_booking', { prepared_id, terms_digest })
  expect(booked.result).toMatchObject({ status: 'confirmed' })
  expect(await app.payment(payment.payment_id)).toMatchObject({ booking_id: booked.result.booking_id })
})
