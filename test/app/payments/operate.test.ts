import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parsePaymentsCommand } from '../../../src/cli/commands/payments.ts'
import { operatorToken } from '../../support/app/operator.ts'
import { captureOutput } from '../../support/cli/capture-output.ts'
import { type PaymentApp, paymentApp } from '../../support/payments/payment-app.ts'

let app: PaymentApp
let operator: string
beforeAll(async () => {
  app = await paymentApp()
  operator = await operatorToken(app)
})
afterAll(() => app.close())

const act = (path: string, payload?: object) =>
  app.as(operator, {
    method: payload === undefined ? 'GET' : 'POST',
    url: `/api/operator/${path}`,
    ...(payload && { payload }),
  })

async function bookPaid() {
  const paid = await app.authorise()
  const booked = (await app.book(paid.body)).json().data
  await app.drive()
  return { ...paid, bookingId: booked.booking_id }
}

describe('operators', () => {
  test('see every request to the provider and the ledger of a payment', async () => {
    const { paymentId, amount, bookingId } = await bookPaid()
    const { data } = (await act(`payments/${paymentId}`)).json()
    expect(data).toMatchObject({
      ...{ state: 'captured', booking_id: bookingId, booking_status: 'confirmed', owed: amount, livemode: false },
      operations: [
        { number: 1, kind: 'create', state: 'done', key: `${paymentId}:create` },
        { number: 2, kind: 'capture', state: 'done', amount, key: `${paymentId}:capture` },
      ],
      entries: [
        { kind: 'authorised', amount },
        { kind: 'captured', amount },
      ],
    })
    const listed = (await act(`payments?filters[]=booking_id:==<${bookingId}`)).json().data
    expect(listed.map((payment: { payment_id: string }) => payment.payment_id)).toEqual([paymentId])
    expect((await app.as(app.token, { url: `/api/operator/payments/${paymentId}` })).statusCode).toBe(403)
  })

  test('refund a part as goodwill, never more than was captured, and a later cancellation refunds only the rest', async () => {
    const { paymentId, amount, bookingId } = await bookPaid()
    expect((await act(`payments/${paymentId}/refund`, { amount: amount + 1, reason: 'noise' })).json().code).toBe(
      'not_possible',
    )
    const refunded = (await act(`payments/${paymentId}/refund`, { amount: 10, reason: 'noise' })).json().data
    expect(refunded).toMatchObject({ status: 'refunding', refund_pending: 10 })
    await app.drive()
    expect(await app.payment(paymentId)).toMatchObject({ status: 'partly_refunded', refunded: 10 })
    await app.post(`/api/accommodation/bookings/${bookingId}/cancel`)
    await app.drive()
    const { captured, refunds } = app.provider.intent(paymentId)
    const total = refunds.reduce((sum, refund) => sum + refund.amount.minor, 0)
    expect(total).toBeLessThanOrEqual(captured.minor)
    expect(await app.payment(paymentId)).toMatchObject({ refund_pending: 0 })
    const audit = (await act('audit')).json().data
    expect(audit).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'operator.payments.refund', subject: paymentId, reason: 'noise' }),
      ]),
    )
  })

  test('see a refused capture on the attention list, and try it again', async () => {
    const paid = await app.authorise()
    await app.book(paid.body)
    app.provider.fail('capture', { fault: 'declined', when: 'before', isProven: true })
    await app.drive(4)
    expect((await act(`payments/${paid.paymentId}`)).json().data).toMatchObject({
      state: 'needs_review',
      reason: 'uncollected',
    })
    const entries = (await act('attention?filters[]=kind:==<payment')).json().data
    expect(entries.map((entry: { title: string }) => entry.title).join()).toContain(paid.paymentId)
    expect((await act(`payments/${paid.paymentId}/resolve`, { to: 'captured', reason: 'x' })).json().code).toBe(
      'not_possible',
    )
    await act(`payments/${paid.paymentId}/resolve`, { to: 'capturing', reason: 'the bank said yes' })
    await app.drive()
    expect(await app.payment(paid.paymentId)).toMatchObject({ status: 'captured' })
    const captures = app.provider
      .writes()
      .filter(({ call, key = '' }) => call === 'capture' && key.startsWith(paid.paymentId))
    expect(captures.map(({ key }) => key)).toEqual([`${paid.paymentId}:capture`, `${paid.paymentId}:capture:2`])
  })

  test('subscribe to the events of payments, which name no card', async () => {
    const { paymentId, amount } = await bookPaid()
    const events = (await app.request({ url: '/api/events' })).json().data
    const captured = events.find(
      (event: { type: string; data: { payment_id?: string } }) => event.data.payment_id === paymentId,
    )
    expect(captured).toMatchObject({
      type: 'booking.payment_captured',
      data: {
        captured: amount,
        refunded: 0,
        actor: { kind: 'system', id: 'payments' },
        booking: { payment: { card: null } },
      },
    })
    expect(JSON.stringify(captured)).not.toContain('4242')
  })
})

describe('serai payments', () => {
  const run = (...args: string[]) => captureOutput(() => parsePaymentsCommand(args).work(app.operator.payments))

  test('check prints every check of the provider, and fails if one fails', async () => {
    const { code, out } = await run('check')
    expect([code, out.split('\n')]).toEqual([
      1,
      ['✓ key  test', '✗ read reviews  Give the key this permission.', '1 check failed.'],
    ])
  })

  test('reconcile prints nothing if books and provider agree', async () => {
    await bookPaid()
    const { code, out } = await run('reconcile', '--from', '2027-01-14')
    expect([code, out]).toEqual([0, ''])
  })

  test('reconcile names a payment that the database has lost', async () => {
    await app.provider.provider.create(
      { paymentId: 'pay_lost', amount: { minor: 100, currency: 'EUR' }, description: '' },
      'pay_lost:create',
      { requestId: 'test', signal: new AbortController().signal },
    )
    const { code, out } = await run('reconcile', '--from', '2027-01-14')
    expect(code).toBe(1)
    expect(out).toBe('pi_pay_lost  pay_lost  here: unknown, there: open, captured 0 EUR')
  })

  test('a refund needs a reason and a positive amount', () => {
    expect(() => parsePaymentsCommand(['refund', 'pay_1'])).toThrow('--reason')
    expect(() => parsePaymentsCommand(['refund', 'pay_1', '-3', '--reason', 'x'])).toThrow()
    expect(() => parsePaymentsCommand(['resolve', 'pay_1', 'gone', '--reason', 'x'])).toThrow('TO must be one of')
  })
})
