import { extractText } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReceiptResponse } from '../../../src/voucher/schemas.ts'
import { expectToMatch } from '../../support/app/search-app-schema.ts'
import { type PaymentApp, paymentApp } from '../../support/payments/payment-app.ts'

let app: PaymentApp
beforeAll(async () => {
  app = await paymentApp({ booking: { patienceMs: 2_000 } })
})
afterAll(() => app.close())

const GUEST = { given_name: 'Ana', family_name: 'Costa' }
const receipt = (bookingId: string, accept = 'application/json', as = app.token) =>
  app.as(as, { url: `/api/accommodation/bookings/${bookingId}/receipt`, headers: { accept } })

async function book() {
  const paid = await app.authorise()
  const { data } = (await app.book({ ...paid.body, guests: [GUEST] })).json()
  return { paid, bookingId: data.booking_id as string }
}

test('a receipt shows what was charged to which card, and in every format the same', async () => {
  const { paid, bookingId } = await book()
  expect((await receipt(bookingId)).json()).toMatchObject({ status: 409, code: 'no_receipt' })
  await app.drive()
  const answer = await receipt(bookingId)
  expectToMatch(ReceiptResponse, answer.json())
  const { data } = answer.json()
  expect(data).toMatchObject({
    ...{ payment_id: paid.paymentId, booking_id: bookingId, guest: 'Ana Costa' },
    ...{ charged: paid.amount, refunded: 0, refund_pending: 0, card: { brand: 'visa', last4: '4242' } },
  })
  expect(data.total_price - data.due_at_property).toBeCloseTo(paid.amount, 2)
  const { text } = await extractText(new Uint8Array((await receipt(bookingId, 'application/pdf')).rawPayload), {
    mergePages: true,
  })
  const html = (await receipt(bookingId, 'text/html')).body
  for (const shown of [text, html])
    for (const fact of [paid.paymentId, data.reference, 'Ana Costa', 'ending in 4242', data.charged.toFixed(2)])
      expect(shown).toContain(fact)
})

test('after a cancellation the receipt shows the refund', async () => {
  const { paid, bookingId } = await book()
  await app.drive()
  const { data } = (await app.post(`/api/accommodation/bookings/${bookingId}/cancel`)).json()
  await app.drive(4)
  expect((await receipt(bookingId)).json().data).toMatchObject({ charged: paid.amount, refunded: data.refund })
})

test('only the owner gets the receipt', async () => {
  const { bookingId } = await book()
  await app.drive()
  expect((await receipt(bookingId, 'application/json', app.otherToken)).statusCode).toBe(404)
})
