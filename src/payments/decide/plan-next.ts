import { excessOf, type PaymentReason, type PaymentState } from '../../domain/payment/payment.ts'
import { moveTo, openOperation, type PaymentFile, planOperation, review, updatePayment } from './payment-file.ts'

/** States in which the amounts decide what is sent. In review only a person decides. */
const DRIVEN: readonly PaymentState[] = ['held', 'capturing', 'captured', 'refunding', 'voiding']

/** Plans the next request that brings captured minus refunded to what is owed. One request at a time. */
export function planNext(file: PaymentFile, at: number): PaymentFile {
  const { payment } = file
  const { state, owed, captured, authorised, isFrozen } = payment
  if (owed === undefined || isFrozen || openOperation(file) !== undefined) return file
  if (state === 'lapsed')
    return owed === 0
      ? moveTo(updatePayment(file, { reason: undefined }), 'voided', at)
      : review(file, 'uncollected', at)
  if (state === 'needs_review') return planInReview(file, at)
  if (!DRIVEN.includes(state)) return file
  if (captured > 0) return planRefund(file, at)
  if (owed === 0) return moveTo(planOperation(file, 'void', authorised), 'voiding', at)
  // A void that had no effect leaves a payment for which nothing is owed.
  if (state === 'voiding') return review(file, 'not_released', at)
  if (owed > authorised) return review(file, 'amount_differs', at)
  return moveTo(planOperation(file, 'capture', owed), 'capturing', at)
}

function planRefund(file: PaymentFile, at: number): PaymentFile {
  const { payment } = file
  if (payment.state === 'capturing') return moveTo(file, 'captured', at)
  const excess = excessOf(payment)
  if (excess < 0) return review(file, 'short', at)
  if (excess > 0) return moveTo(planOperation(file, 'refund', excess), 'refunding', at)
  return payment.refundPending > 0 ? file : moveTo(file, 'captured', at)
}

/** Reasons that are over once captured minus refunded is what is owed. */
const SETTLED_BY_AMOUNTS: readonly (PaymentReason | undefined)[] = [
  'uncollected',
  'refund_failed',
  'amount_differs',
  'short',
  'captured_elsewhere',
]

/** A booking that ended without cost, or money that was taken without our order, needs no person. */
function planInReview(file: PaymentFile, at: number): PaymentFile {
  const { payment } = file
  const { owed, captured, authorised, refundPending, reason } = payment
  const excess = excessOf(payment)
  if (captured === 0 && owed === 0 && reason === 'uncollected')
    return moveTo(planOperation(file, 'void', authorised), 'voiding', at)
  if (captured > 0 && excess === 0 && refundPending === 0 && SETTLED_BY_AMOUNTS.includes(reason))
    return moveTo(updatePayment(file, { reason: undefined }), 'captured', at)
  if (reason !== 'captured_elsewhere' || excess <= 0) return file
  return moveTo(planOperation(file, 'refund', excess), 'refunding', at)
}
