import { excessOf, type PaymentState } from '../../domain/payment/payment.ts'
import { moveTo, openOperation, type PaymentFile, planOperation, updatePayment } from './payment-file.ts'
import { planNext } from './plan-next.ts'

/**
 * Ends of a review. `capturing` and `refunding` try again, `voiding` releases. `captured` and `voided` accept the present
 * amounts: the operator has settled the rest with the guest in another way. Reserved money is released.
 */
export const PAYMENT_RESOLUTIONS = ['capturing', 'refunding', 'voiding', 'captured', 'voided'] as const
export type PaymentResolution = (typeof PAYMENT_RESOLUTIONS)[number]

/** True if the outcome of the booking, and with it the amount owed, is unknown. */
export const isUndecided = ({ payment: { bookingId, owed } }: PaymentFile): boolean =>
  bookingId !== undefined && owed === undefined

/** Reasons with which `voided` sends no release: the operator has released the authorisation at the provider. */
const NOT_SENT: readonly string[] = ['not_released', 'unknown_object']

/** Undefined if the amounts do not allow this resolution, or if the outcome of the booking is unknown. */
export function resolvePayment(file: PaymentFile, to: PaymentResolution, at: number): PaymentFile | undefined {
  const { payment } = file
  const { state, captured, authorised, owed = 0, refunded, refundPending } = payment
  if (state !== 'needs_review' || openOperation(file) !== undefined || isUndecided(file)) return undefined
  const settled = updatePayment(file, { reason: undefined })
  const excess = excessOf(payment)
  switch (to) {
    case 'capturing':
      if (captured > 0 || owed <= 0 || owed > authorised) return undefined
      return moveTo(planOperation(settled, 'capture', owed), to, at)
    case 'refunding':
      return excess > 0 ? moveTo(planOperation(settled, 'refund', excess), to, at) : undefined
    case 'voiding':
      if (captured > 0) return undefined
      return moveTo(planOperation(updatePayment(settled, { owed: 0 }), 'void', authorised), to, at)
    case 'captured': {
      if (captured === 0) return undefined
      const kept = captured - refunded - refundPending
      // Counts refunds beyond the terms as goodwill, so that a later change of the booking does not reopen the review.
      const goodwill = payment.goodwill + Math.max(0, Math.min(owed, captured) - kept)
      return moveTo(updatePayment(settled, { owed: kept, goodwill }), to, at)
    }
    case 'voided': {
      if (captured > 0) return undefined
      const free = updatePayment(settled, { owed: 0 })
      return authorised === 0 || (payment.reason !== undefined && NOT_SENT.includes(payment.reason))
        ? moveTo(free, to, at)
        : moveTo(planOperation(free, 'void', authorised), 'voiding', at)
    }
  }
}

const REFUNDABLE: readonly PaymentState[] = ['captured', 'refunding', 'capturing']

/** An operator's refund beyond the terms. Undefined if less was captured, or nothing is settled yet. */
export function refundGoodwill(file: PaymentFile, amount: number, at: number): PaymentFile | undefined {
  const { state, owed, goodwill, captured, isFrozen } = file.payment
  if (!REFUNDABLE.includes(state) || isFrozen || captured === 0 || owed === undefined || amount > owed) return undefined
  return planNext(updatePayment(file, { owed: owed - amount, goodwill: goodwill + amount }), at)
}
