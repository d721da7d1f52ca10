import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderFault } from '../../../src/payments/provider-error.ts'
import { type PaymentApp, paymentApp } from '../../support/payments/payment-app.ts'

let app: PaymentApp
beforeAll(async () => {
  app = await paymentApp()
})
afterEach(() => app.provider.noFaults())
afterAll(() => app.close())

const HOUR_MS = 3_600_000
const LOST: readonly (readonly [ProviderFault, 'before' | 'after'])[] = [
  ['timeout', 'before'],
  ['timeout', 'after'],
  ['unreachable', 'after'],
  ['unavailable', 'before'],
  ['malformed', 'after'],
]
const keysOf = (paymentId: string, kind: string) =>
  app.provider.writes().flatMap(({ call, key = '' }) => (call === kind && key.startsWith(`${paymentId}:`) ? [key] : []))

async function bookPaid() {
  let room = await app.room()
  while (room.cancel_policy.cancelation !== 'free') room = await app.room()
  const paid = await app.authorise(room)
  const { booking_id } = (await app.book(paid.body)).json().data
  return { ...paid, bookingId: booking_id }
}

describe.each(LOST)('%s %s the provider acted', (fault, when) => {
  test('a capture is done once', async () => {
    app.provider.fail('capture', { fault, when })
    const { paymentId, amount } = await bookPaid()
    await app.drive(6, 5_000)
    expect(await app.payment(paymentId)).toMatchObject({ status: 'captured', captured: amount })
    expect(new Set(keysOf(paymentId, 'capture')).size).toBe(1)
  })

  test('a refund is done once', async () => {
    const { paymentId, bookingId, amount } = await bookPaid()
    await app.drive()
    app.provider.fail('refund', { fault, when })
    const { refund } = (await app.post(`/api/accommodation/bookings/${bookingId}/cancel`)).json().data
    await app.drive(6, 5_000)
    const { refunds } = app.provider.intent(paymentId)
    expect(refunds.reduce((sum, { amount: { minor } }) => sum + minor, 0)).toBe(Math.round(refund * 100))
    expect(await app.payment(paymentId)).toMatchObject({ captured: amount, refunded: refund })
  })

  test('a release is done once', async () => {
    const { paymentId } = await app.authorise()
    app.clock.advance(1_000)
    await app.payment(paymentId)
    app.provider.fail('void', { fault, when })
    await app.post(`/api/payments/${paymentId}/release`)
    await app.drive(6, 5_000)
    expect(app.provider.intent(paymentId).status).toBe('gone')
    expect(await app.payment(paymentId)).toMatchObject({ status: 'voided' })
    expect(new Set(keysOf(paymentId, 'void')).size).toBe(1)
  })

  test('a creation is repeated under its key and gets the same payment', async () => {
    const room = await app.room()
    app.provider.fail('create', { fault, when })
    const answer = await app.post('/api/payments', room.booking_info)
    expect([answer.statusCode, answer.json().code, answer.json().effect]).toEqual([
      504,
      'payment_outcome_unknown',
      'unknown',
    ])
    app.clock.advance(2_000)
    const again = (await app.post('/api/payments', room.booking_info)).json().data
    expect(again.status).toBe('requires_payment')
    expect(keysOf(again.payment_id, 'create')).toEqual([`${again.payment_id}:create`, `${again.payment_id}:create`])
  })
})

test('a provider that certainly did nothing is repeated with a new payment', async () => {
  const room = await app.room()
  app.provider.fail('create', { fault: 'credentials', when: 'before', isProven: true })
  const answer = await app.post('/api/payments', room.booking_info, { 'idempotency-key': 'again' })
  expect([answer.statusCode, answer.json().code, answer.json().effect]).toEqual([502, 'payments_unavailable', 'none'])
  expect((await app.post('/api/payments', room.booking_info, { 'idempotency-key': 'again' })).statusCode).toBe(201)
})

test('a key that is revoked for a day loses nothing: the capture waits', async () => {
  const { paymentId } = await bookPaid()
  for (let failures = 0; failures < 40; failures += 1)
    app.provider.fail('capture', { fault: 'credentials', when: 'before', isProven: true })
  await app.drive(30, 1_000_000)
  expect(await app.payment(paymentId)).toMatchObject({ status: 'capturing' })
  app.provider.noFaults()
  await app.drive(3, HOUR_MS)
  expect(await app.payment(paymentId)).toMatchObject({ status: 'captured' })
})

test('a hold that ends before the capture leaves the booking confirmed and tells an operator', async () => {
  const { paymentId, bookingId } = await bookPaid()
  Object.assign(app.provider.intent(paymentId), { status: 'gone', lapsed: true })
  app.provider.fail('capture', { fault: 'state', when: 'before', isProven: true })
  await app.drive(4)
  expect(await app.payment(paymentId)).toMatchObject({ status: 'needs_review', captured: 0 })
  expect(await app.booking(bookingId)).toMatchObject({ status: 'confirmed', payment: { status: 'needs_review' } })
})

test('a refund that comes back after weeks needs a person and is not sent again', async () => {
  const { paymentId, bookingId } = await bookPaid()
  await app.drive()
  const { refund } = (await app.post(`/api/accommodation/bookings/${bookingId}/cancel`)).json().data
  await app.drive()
  expect(refund).toBeGreaterThan(0)
  const intent = app.provider.intent(paymentId)
  intent.refunds = intent.refunds.map((done) => ({ ...done, state: 'failed' }))
  await app.drive(3, 26 * HOUR_MS)
  expect(await app.payment(paymentId)).toMatchObject({ status: 'needs_review', refunded: 0 })
  expect(keysOf(paymentId, 'refund')).toHaveLength(1)
})

describe('notifications', () => {
  const notify = (body: object, signature = 'right') =>
    app.call({
      method: 'POST',
      url: '/api/payments/providers/stripe/notifications',
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-signature': signature },
    })

  test('only make the job look, in any number', async () => {
    const { paymentId } = await app.authorise()
    const looks = () => app.provider.calls.filter(({ call }) => call === 'look').length
    const before = looks()
    const event = { id: 'evt_1', type: 'payment_intent.succeeded', reference: `pi_${paymentId}` }
    for (let times = 0; times < 10; times += 1) expect((await notify(event)).json()).toEqual({ data: { known: true } })
    await app.drive(1)
    expect(looks() - before).toBeLessThanOrEqual(2)
    expect(await app.payment(paymentId)).toMatchObject({ status: 'authorised', captured: 0 })
  })

  test('that are not signed are refused, and those of other objects are ignored', async () => {
    expect((await notify({ id: 'evt_2', type: 'x' }, 'wrong')).statusCode).toBe(401)
    expect((await notify({ id: 'evt_3', type: 'x', reference: 'pi_other' })).json()).toEqual({ data: { known: false } })
    const large = await notify({ id: 'evt_4', type: 'x', padding: 'x'.repeat(300 * 1024) })
    expect(large.statusCode).toBe(413)
  })
})
