import { expect, test } from 'vitest'
import type { Payment } from '../../../src/domain/payment/payment.ts'
import { followBooking } from '../../../src/payments/decide/follow-booking.ts'
import { openOperation } from '../../../src/payments/decide/payment-file.ts'
import {
  PAYMENT_RESOLUTIONS,
  type PaymentResolution,
  refundGoodwill,
  resolvePayment,
} from '../../../src/payments/decide/resolve.ts'
import { AMOUNT, aFile, anOperation, inState, money, NOW } from '../../support/payments/payment-file.ts'

function outcome(changed: Partial<Payment>, to: PaymentResolution): string {
  const file = resolvePayment(aFile(inState('needs_review', changed)), to, NOW)
  if (file === undefined) return 'refused'
  const open = openOperation(file)
  const { state, owed } = file.payment
  return [state, `owed ${owed}`, ...(open ? [`${open.kind} ${open.amount}`] : [])].join(', ')
}

const PART = 5_000
test.each<[string, Partial<Payment>, Record<PaymentResolution, string>]>([
  [
    'an uncollected payment is captured again, released, or settled in another way',
    {},
    {
      capturing: `capturing, owed ${AMOUNT}, capture ${AMOUNT}`,
      refunding: 'refused',
      voiding: `voiding, owed 0, void ${AMOUNT}`,
      captured: 'refused',
      voided: `voiding, owed 0, void ${AMOUNT}`,
    },
  ],
  [
    'a release that the provider refused is sent again, or was done in its console',
    { owed: 0, reason: 'not_released' },
    {
      capturing: 'refused',
      refunding: 'refused',
      voiding: `voiding, owed 0, void ${AMOUNT}`,
      captured: 'refused',
      voided: 'voided, owed 0',
    },
  ],
  [
    'a failed refund is sent again, or settled in another way',
    { captured: AMOUNT, owed: PART, reason: 'refund_failed' },
    {
      capturing: 'refused',
      refunding: `refunding, owed ${PART}, refund ${AMOUNT - PART}`,
      voiding: 'refused',
      captured: `captured, owed ${AMOUNT}`,
      voided: 'refused',
    },
  ],
  [
    'while the outcome of the booking is unknown nothing is resolved',
    { owed: undefined, reason: 'unknown_object' },
    { capturing: 'refused', refunding: 'refused', voiding: 'refused', captured: 'refused', voided: 'refused' },
  ],
  [
    'a payment without a booking is released',
    { bookingId: undefined, owed: undefined, reason: 'unknown_object' },
    {
      capturing: 'refused',
      refunding: 'refused',
      voiding: `voiding, owed 0, void ${AMOUNT}`,
      captured: 'refused',
      voided: 'voided, owed 0',
    },
  ],
])('%s', (_name, changed, expected) => {
  const outcomes = PAYMENT_RESOLUTIONS.map((to) => [to, outcome(changed, to)])
  expect(Object.fromEntries(outcomes)).toEqual(expected)
})

test('a payment that is not in review, or has an open request, is not resolved', () => {
  expect(resolvePayment(aFile(inState('captured')), 'captured', NOW)).toBeUndefined()
  const open = aFile(inState('needs_review'), anOperation({ kind: 'capture' }))
  expect(resolvePayment(open, 'voided', NOW)).toBeUndefined()
})

test('a goodwill refund lowers what is owed and is never more than that', () => {
  const file = aFile(inState('captured', { owed: PART, captured: PART }))
  expect(refundGoodwill(file, PART + 1, NOW)).toBeUndefined()
  const refunded = refundGoodwill(file, PART, NOW)
  expect(refunded?.payment).toMatchObject({ state: 'refunding', owed: 0, goodwill: PART })
})

test('a refund in the console that an operator has accepted stays accepted when the booking is cancelled', () => {
  const short = aFile(inState('needs_review', { captured: AMOUNT, refunded: 2_000, reason: 'short' }))
  const accepted = resolvePayment(short, 'captured', NOW)
  if (accepted === undefined) throw new Error('The resolution was refused.')
  const cancelling = followBooking(accepted, { owed: money(AMOUNT), isFrozen: false }, NOW)
  expect(cancelling.payment).toMatchObject({ state: 'captured', owed: AMOUNT - 2_000, reason: undefined })
  const cancelled = followBooking(cancelling, { owed: money(PART), isFrozen: false }, NOW)
  expect(openOperation(cancelled)).toMatchObject({ kind: 'refund', amount: AMOUNT - 2_000 - PART })
})
