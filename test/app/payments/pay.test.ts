import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type PaymentApp, paymentApp } from '../../support/payments/payment-app.ts'

let app: PaymentApp
beforeAll(async () => {
  app = await paymentApp({ booking: { patienceMs: 2_000 } })
})
afterEach(async () => {
  app.provider.noFaults()
  await app.noFaults()
})
afterAll(() => app.close())

const writesOf = (paymentId: string) =>
  app.provider.writes().flatMap(({ call, key = '' }) => (key.startsWith(`${paymentId}:`) ? [call] : []))

describe('paying for a booking', () => {
  test('the price check names the amount, and the amount is authorised, booked and captured', async () => {
    const room = await app.room()
    const check = (await app.request({ url: room.booking_info.price_check_uri ?? '' })).json().data
    expect(check.payment).toMatchObject({ required: true, provider: 'stripe', create: '/api/payments' })
    const created = await app.post('/api/payments', { ...check.room.booking_info, terms_digest: check.terms_digest })
    expect(created.statusCode).toBe(201)
    const { data } = created.json()
    expect(data).toMatchObject({
      status: 'requires_payment',
      amount: check.payment.amount,
      currency: check.payment.currency,
      ...{ authorised: 0, captured: 0, refunded: 0, booking_id: null, card: null, simulated: false },
      terms_digest: check.terms_digest,
      next: { kind: 'confirm_in_browser', publishable_key: 'pk_test_scripted' },
    })
    expect(created.headers.location).toBe(`/api/payments/${data.payment_id}`)
    app.provider.confirm(data.payment_id)
    app.clock.advance(1_000)
    expect(await app.payment(data.payment_id)).toMatchObject({
      ...{ status: 'authorised', authorised: data.amount, card: { brand: 'visa', last4: '4242' }, next: null },
    })

    const body = { ...data.room.booking_info, terms_digest: data.terms_digest, payment_id: data.payment_id }
    const booked = await app.book(body)
    expect(booked.statusCode).toBe(201)
    const { booking_id, payment } = booked.json().data
    expect(payment).toEqual({
      ...{ payment_id: data.payment_id, amount: data.amount, currency: data.currency },
      card: { brand: 'visa', last4: '4242' },
    })
    expect(writesOf(data.payment_id)).toEqual(['create'])
    await app.drive()
    expect(writesOf(data.payment_id)).toEqual(['create', 'capture'])
    expect(app.provider.intent(data.payment_id).captured.minor).toBe(Math.round(data.amount * 100))
    const shown = await app.booking(booking_id)
    expect(shown).toMatchObject({ payment: { status: 'captured', captured: data.amount, refunded: 0 } })
    expect(shown.events).toMatchObject([
      ...[{ type: 'booking.pending' }, { type: 'booking.submitting' }, { type: 'booking.confirmed' }],
      { type: 'booking.payment_captured', actor: { kind: 'system', id: 'payments' } },
    ])
    expect((await app.book(body)).body).toBe(booked.body)
  })

  test('a declined card is shown with its reason, and the same payment takes another card', async () => {
    const { paymentId } = await app.create()
    app.provider.decline(paymentId)
    app.clock.advance(1_000)
    expect(await app.payment(paymentId)).toMatchObject({
      status: 'requires_payment',
      failure: { code: 'insufficient_funds' },
      next: { kind: 'confirm_in_browser' },
    })
    app.provider.confirm(paymentId)
    app.clock.advance(1_000)
    expect(await app.payment(paymentId)).toMatchObject({ status: 'authorised', failure: null })
  })

  test('the same offer, or the same key, gets the same payment', async () => {
    const room = await app.room()
    const first = await app.post('/api/payments', room.booking_info, { 'idempotency-key': 'checkout-1' })
    const { payment_id } = first.json().data
    for (const headers of [{}, { 'idempotency-key': 'checkout-1' }]) {
      const again = await app.post('/api/payments', room.booking_info, headers)
      expect([again.statusCode, again.json().data.payment_id]).toEqual([200, payment_id])
    }
    const other = await app.post(
      '/api/payments',
      { ...room.booking_info, accept_price_up_to: 1 },
      { 'idempotency-key': 'checkout-1' },
    )
    expect(other.json().code).toBe('idempotency_mismatch')
  })

  test('another key and another body for the same offer get the same payment', async () => {
    const room = await app.room()
    const first = await app.post('/api/payments', room.booking_info, { 'idempotency-key': 'checkout-2' })
    const body = { ...room.booking_info, accept_price_up_to: 1 }
    const second = await app.post('/api/payments', body, { 'idempotency-key': 'checkout-3' })
    expect([second.statusCode, second.json().data?.payment_id]).toEqual([200, first.json().data.payment_id])
  })

  test('racing requests for one offer create one payment', async () => {
    const room = await app.room()
    const answers = await Promise.all([1, 2, 3].map(() => app.post('/api/payments', room.booking_info)))
    const ids = new Set(
      answers.filter(({ statusCode }) => statusCode < 300).map((answer) => answer.json().data.payment_id),
    )
    expect(ids.size).toBe(1)
    const later = await app.post('/api/payments', room.booking_info)
    expect([...ids]).toEqual([later.json().data.payment_id])
  })

  test('a card number in the body is refused and reaches neither log nor answer', async () => {
    const room = await app.room()
    const answer = await app.post('/api/payments', { ...room.booking_info, card: '4242 4242 4242 4242' })
    expect(answer.json().code).toBe('card_data_not_accepted')
    expect(answer.body + app.logged.join('')).not.toContain('4242 4242')
  })

  test('the client secret is in no log line, no booking, no stored answer and no webhook', async () => {
    const { paymentId, body } = await app.authorise()
    const booked = await app.book(body)
    await app.drive()
    const events = await app.request({ url: '/api/events' })
    const shown = await app.request({ url: `/api/accommodation/bookings/${booked.json().data.booking_id}/history` })
    for (const text of [booked.body, events.body, shown.body, app.logged.join('\n')])
      expect(text).not.toContain('secret_canary')
    expect(events.body).toContain(paymentId)
  })
})

describe('a booking that is not paid', () => {
  test('without a payment is refused with the amount, and the vendor hears nothing', async () => {
    const room = await app.room()
    const calls = await app.calls()
    const answer = await app.book(room.booking_info)
    expect(answer.statusCode).toBe(402)
    expect(answer.json()).toMatchObject({
      ...{ code: 'payment_required', effect: 'none' },
      payment: { provider: 'stripe', create: '/api/payments' },
    })
    expect(await app.calls()).toBe(calls)
  })

  test('with a payment that the guest has not authorised is refused', async () => {
    const { body, paymentId } = await app.create()
    const answer = await app.book(body)
    expect(answer.json()).toMatchObject({
      code: 'payment_required',
      payment: { payment_id: paymentId, status: 'requires_payment' },
    })
    expect(answer.body).not.toContain('secret')
  })

  test('with a payment for another room, of another account or of another booking is refused', async () => {
    const paid = await app.authorise()
    const other = await app.create()
    const wrongRoom = await app.book({ ...other.body, payment_id: paid.paymentId })
    expect(wrongRoom.json()).toMatchObject({ code: 'payment_invalid', payment_id: paid.paymentId })
    const wrongTerms = await app.book({ ...paid.body, terms_digest: `trm1_${'0'.repeat(40)}` })
    expect(wrongTerms.json().code).toBe('payment_invalid')
    const another = await app.as(app.otherToken, { url: `/api/payments/${paid.paymentId}` })
    expect(another.json().code).toBe('payment_not_found')
    expect((await app.book(paid.body)).statusCode).toBe(201)
    const twice = await app.book(paid.body, { 'idempotency-key': 'another' })
    expect(twice.json().code).toBe('offer_used')
  })

  test('with a payment in review, or one whose authorisation ends within 48 hours, is refused', async () => {
    const reviewed = await app.create()
    app.provider.confirm(reviewed.paymentId, { isInReview: true })
    const refused = (await app.book(reviewed.body)).json()
    expect([refused.code, refused.detail]).toEqual(['payment_in_review', expect.stringContaining('release it')])
    const released = await app.post(`/api/payments/${reviewed.paymentId}/release`)
    expect(released.json().data.status).toBe('voiding')
    const short = await app.create()
    app.provider.confirm(short.paymentId, { captureBefore: app.clock.now() + 47 * 3_600_000 })
    expect((await app.book(short.body)).json().code).toBe('payment_expired')
  })

  test('with less authorised than is due now is refused, although the price is the one shown', async () => {
    const { paymentId, amount, body } = await app.create()
    const authorised = { minor: Math.round(amount * 100) - 100, currency: 'EUR' }
    app.provider.confirm(paymentId, { authorised })
    const { code, changes, detail, payment } = (await app.book(body)).json()
    expect([code, changes]).toEqual(['price_changed', []])
    expect(detail).not.toContain('terms_digest')
    expect(payment).toMatchObject({ payment_id: paymentId, needed: amount })
  })

  test('with an expired payment is refused, and the authorisation is released within a minute', async () => {
    const { paymentId, body } = await app.authorise()
    app.clock.advance(1_000)
    await app.payment(paymentId)
    app.clock.advance(20 * 60_000)
    await app.drive()
    expect(app.provider.intent(paymentId).status).toBe('gone')
    expect(await app.payment(paymentId)).toMatchObject({ status: 'voided', captured: 0 })
    expect(['payment_expired', 'offer_expired']).toContain((await app.book(body)).json().code)
  })

  test('on account neither needs nor touches payments', async () => {
    const before = app.provider.calls.length
    const room = await app.room()
    const check = await app.as(app.otherToken, { url: room.booking_info.price_check_uri ?? '' })
    expect(check.body).not.toContain('"payment"')
    expect(app.provider.calls.length).toBe(before)
  })
})

describe('an authorisation', () => {
  test('can be given back before a booking claims it, and not afterwards', async () => {
    const { paymentId } = await app.authorise()
    const released = await app.post(`/api/payments/${paymentId}/release`)
    expect(released.json().data.status).toBe('voiding')
    await app.drive()
    expect(await app.payment(paymentId)).toMatchObject({ status: 'voided' })
    expect((await app.post(`/api/payments/${paymentId}/release`)).json().data.status).toBe('voided')

    const claimed = await app.authorise()
    await app.book(claimed.body)
    expect((await app.post(`/api/payments/${claimed.paymentId}/release`)).json().code).toBe('payment_invalid')
  })

  test('is released with the rejection if the vendor refuses the booking', async () => {
    const room = await app.room('hotelbeds')
    const { paymentId, body } = await app.authorise(room)
    await app.faults({ kind: 'sold_out', operation: 'book', times: 1 })
    const refused = await app.book(body)
    expect(refused.json()).toMatchObject({ code: 'sold_out', payment: { payment_id: paymentId, status: 'voiding' } })
    expect(refused.json().detail).toContain('Nothing was charged')
    await app.drive()
    expect(writesOf(paymentId)).toEqual(['create', 'void'])
    expect(app.provider.intent(paymentId).status).toBe('gone')
  })

  test('is neither captured nor released while the outcome of the booking is unknown', async () => {
    const room = await app.room('hotelbeds')
    const { paymentId, body } = await app.authorise(room)
    await app.faults({ kind: 'reset_after', operation: 'book', times: 1 })
    const open = await app.book(body)
    expect(open.statusCode).toBe(202)
    await app.drive(5)
    expect(writesOf(paymentId)).toEqual(['create'])
    expect(await app.payment(paymentId)).toMatchObject({ status: 'held', booking_id: open.json().data.booking_id })
    for (let round = 0; round < 20; round += 1) {
      app.clock.advance(5_000)
      await app.settleBookings()
    }
    await app.drive()
    expect(await app.payment(paymentId)).toMatchObject({ status: 'captured' })
    expect(writesOf(paymentId)).toEqual(['create', 'capture'])
  })
})

describe('a cancellation', () => {
  test('refunds what was captured minus the penalty, once', async () => {
    const room = await app.room('hotelbeds')
    const { paymentId, body, amount } = await app.authorise(room)
    const { booking_id } = (await app.book(body)).json().data
    await app.drive()
    const url = `/api/accommodation/bookings/${booking_id}/cancel`
    const preview = (await app.post(`${url}?preview=true`)).json().data
    expect(preview.payment).toMatchObject({ captured: amount, refund: preview.refund, to: { last4: '4242' } })
    const cancelled = (await app.post(url)).json().data
    expect(cancelled.payment).toMatchObject({ refund: cancelled.refund })
    await app.drive()
    await app.post(url)
    await app.drive()
    const { status, refunds } = app.provider.intent(paymentId)
    expect(status).toBe('captured')
    expect(refunds.map((refund) => refund.amount.minor)).toEqual(
      cancelled.refund === 0 ? [] : [Math.round(cancelled.refund * 100)],
    )
  })

  test('before the capture was sent releases the authorisation without a refund', async () => {
    let room = await app.room()
    while (room.cancel_policy.cancelation !== 'free') room = await app.room()
    const { paymentId, body } = await app.authorise(room)
    const { booking_id } = (await app.book(body)).json().data
    await app.post(`/api/accommodation/bookings/${booking_id}/cancel`)
    await app.drive()
    expect(writesOf(paymentId)).toEqual(['create', 'void'])
    expect(await app.payment(paymentId)).toMatchObject({ status: 'voided' })
  })
})
