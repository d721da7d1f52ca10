import { expect, test } from 'vitest'
import { createCardPayments } from '../../../src/payments/pay-booking.ts'
import { toStripeAmount } from '../../../src/payments/providers/stripe/amounts.ts'
import { anOffer } from '../../support/booking/an-offer.ts'
import { inState } from '../../support/payments/payment-file.ts'

const inDinars = (minor: number) => ({ minor, currency: 'KWD' })

test.each([
  ['is booked', 12_340, true],
  ['that cannot be captured exactly is refused before anything is booked', 12_345, false],
])('a price below the authorised one %s', async (_name, minor, isBooked) => {
  const cards = createCardPayments({
    provider: { id: 'stripe', accepts: (amount: never) => toStripeAmount(amount) !== undefined },
  } as never)
  const { price } = anOffer()
  const total = { ...price, total: inDinars(minor), dueAtProperty: inDinars(0) }
  const order = { account: { id: 'acc_1' }, offer: anOffer({ price: total }) }
  const payment = inState('authorised', { currency: 'KWD', amount: 12_400, authorised: 12_400 })
  const claimed = cards.claim({ ...order, paymentId: 'pay_1', termsDigest: undefined, requestId: 'req' }, payment)
  if (isBooked) expect(await claimed).toMatchObject({ payment: { amount: inDinars(minor) } })
  else await expect(claimed).rejects.toMatchObject({ code: 'payment_invalid' })
})
