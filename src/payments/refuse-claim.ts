import type { Payment } from '../domain/payment/payment.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import { notOfThisOrder, PaymentRequired, paymentExpired, paymentInReview } from './refusals.ts'

/** The vendor may stay unsure for half an hour, and an operator needs a day. */
const HOLD_LEFT_MS = 48 * HOUR_MS

/** Throws unless a booking may claim the payment. */
export function refuseClaim(payment: Payment | undefined, paymentId: string, now: number): void {
  if (payment === undefined) throw notOfThisOrder(paymentId)
  const { state, provider, captureBefore, isInReview } = payment
  switch (state) {
    case 'authorised':
      if (isInReview) throw paymentInReview(paymentId)
      if (captureBefore === undefined || captureBefore < now + HOLD_LEFT_MS) throw paymentExpired(paymentId)
      return
    case 'creating':
    case 'open':
      throw new PaymentRequired(provider, { payment })
    case 'voiding':
    case 'voided':
    case 'failed':
    case 'lapsed':
      throw paymentExpired(paymentId)
    default:
      throw notOfThisOrder(paymentId)
  }
}
