import { floorToCardAmount } from '../../domain/payment/card-step.ts'
import type { Due } from '../../domain/payment/owed.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { moveTo, type PaymentFile, review, updatePayment, withdrawPlanned } from './payment-file.ts'
import { planNext } from './plan-next.ts'

/** The booking claims the authorisation, in the transaction that stores its intent. */
export function claimFor(file: PaymentFile, bookingId: string, now: number): PaymentFile {
  const { state, bookingId: other } = file.payment
  if (state !== 'authorised' || other !== undefined) throw new Error(`a payment that is ${state} cannot be claimed`)
  return updatePayment(moveTo(file, 'held', now), { bookingId })
}

/** Sets what is owed after a move of the booking and plans the request for it. A request that was sent is finished first. */
export function followBooking(file: PaymentFile, due: Due, now: number): PaymentFile {
  const { payment } = file
  const { isFrozen } = due
  // The guest pays in another way, as an operator has decided.
  if (payment.state === 'voided') return file
  if (due.owed === undefined) return withdrawPlanned(updatePayment(file, { isFrozen }))
  if (due.owed.currency !== payment.currency)
    return review(withdrawPlanned(updatePayment(file, { isFrozen })), 'unknown_fee', now)
  // A penalty may have more decimals than a card can be charged.
  const owed = owedAfterGoodwill(payment, floorToCardAmount(due.owed).minor)
  if (owed === payment.owed && isFrozen === payment.isFrozen) return file
  const reason =
    due.hasVendorFee === true ? 'vendor_fee' : payment.reason === 'hold_ending' ? undefined : payment.reason
  return planNext(updatePayment(withdrawPlanned(file), { owed, isFrozen, reason }), now)
}

/** A refund that operators granted is not charged again. */
const owedAfterGoodwill = ({ goodwill, captured }: Payment, owed: number): number =>
  goodwill === 0 ? owed : Math.min(owed, Math.max(0, captured - goodwill))
