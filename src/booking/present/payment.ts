import type { Static } from 'typebox'
import type { Booking } from '../../domain/booking/booking.ts'
import { type Money, toMajor } from '../../domain/money/money.ts'
import { dueByCard } from '../../domain/payment/owed.ts'
import { type Payment, refundDue } from '../../domain/payment/payment.ts'
import { type PaymentStatus, publicStatus } from '../../domain/payment/public-status.ts'
import type { CardQuote } from '../card-payments.ts'
import type { OfferChange } from '../refusals.ts'
import type { BookedPaymentSchema, CancelPaymentSchema, PaymentQuoteSchema } from '../schemas/payment.ts'

/** Path of the operation that creates a payment. */
export const CREATE_PAYMENT = '/api/payments'

const shownCard = ({ persons }: Booking) => (persons.card === undefined ? null : { ...persons.card })

/** Stored answers are repeated byte for byte, so they have no amounts that change. */
export function presentBookedPayment(
  booking: Booking,
  payment?: Payment,
): { readonly payment?: Static<typeof BookedPaymentSchema> } {
  if (booking.payment === undefined) return {}
  const { paymentId, amount } = booking.payment
  return {
    payment: {
      payment_id: paymentId,
      ...(payment !== undefined && { status: publicStatus(payment) }),
      amount: toMajor(amount),
      ...(payment !== undefined && paymentFigures(payment)),
      currency: amount.currency,
      card: shownCard(booking),
    },
  }
}

export function paymentFigures(payment: Payment) {
  const inCurrency = (minor: number) => toMajor({ minor, currency: payment.currency })
  return {
    captured: inCurrency(payment.captured),
    refunded: inCurrency(payment.refunded),
    refund_pending: inCurrency(refundDue(payment)),
  }
}

export const presentQuote = ({ provider, due, isAccepted }: CardQuote): Static<typeof PaymentQuoteSchema> => ({
  required: true,
  provider,
  amount: toMajor(due),
  currency: due.currency,
  charged: 'when the booking is confirmed',
  create: isAccepted ? CREATE_PAYMENT : null,
})

/** Money that goes back to the card if the booking is cancelled with this penalty. */
export function presentCancelPayment(
  booking: Booking,
  penalty: Money,
  payment: Payment | undefined,
): { readonly payment?: Static<typeof CancelPaymentSchema> } {
  if (booking.payment === undefined || payment === undefined) return {}
  const { captured, refunded, currency, owed = captured } = payment
  const isCancelled = booking.state === 'cancelled'
  const refund = isCancelled ? refunded + refundDue(payment) : Math.max(0, owed - penalty.minor)
  return {
    payment: {
      payment_id: payment.paymentId,
      status: publicStatus(payment),
      captured: toMajor({ minor: captured, currency }),
      refund: toMajor({ minor: refund, currency }),
      currency,
      to: shownCard(booking),
      note: 'reaches the card 5 to 10 business days after the cancellation is confirmed',
    },
  }
}

/** The authorisation that is kept after a refused order. */
export function presentHeld(held: Payment, change?: OfferChange) {
  const due = change?.room === undefined ? undefined : dueByCard(change.room.choice.price)
  const status: PaymentStatus = publicStatus(held)
  return {
    payment_id: held.paymentId,
    status,
    authorised: toMajor({ minor: held.authorised, currency: held.currency }),
    ...(due?.currency === held.currency && { needed: toMajor(due) }),
    currency: held.currency,
    create: CREATE_PAYMENT,
  }
}
