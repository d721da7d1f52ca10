import { toDecimal } from '../../domain/money/money.ts'
import type { Payment, PaymentReason } from '../../domain/payment/payment.ts'
import type { PaymentLists } from '../../payments/store/payment-lists.ts'
import type { AttentionEntry, AttentionSource } from './attention.ts'

/** Captures take seconds. */
const STUCK_MS = 600_000

/** Payments that need a person, or that the provider has not settled for ten minutes. */
export const paymentSources = (lists: Pick<PaymentLists, 'withReason' | 'stuck'>): AttentionSource[] => [
  async (_now, limit) => (await lists.withReason(limit)).map(reasonEntry),
  async (now, limit) => (await lists.stuck(now - STUCK_MS, limit)).map(stuckEntry),
]

type Advice = { readonly whatHappened: string; readonly whatToDo: string }

const ADVICE: Readonly<Record<PaymentReason, Advice>> = {
  uncollected: {
    whatHappened: 'The room is booked, and the amount could not be captured.',
    whatToDo: 'Ask the guest to pay in another way, or cancel the booking while it is free. Then end the review.',
  },
  refund_failed: {
    whatHappened: 'The provider could not refund the card, or the refund came back.',
    whatToDo: 'Pay the guest in another way, and end the review as captured. Do not refund the same card again unseen.',
  },
  not_released: {
    whatHappened: 'The provider refused to release the authorisation.',
    whatToDo: 'Release it in the provider’s console, and ask the provider about the payment here.',
  },
  amount_differs: {
    whatHappened: 'The amount captured or authorised is not the one that is due.',
    whatToDo: 'Compare it in the provider’s console, refund the difference or accept it, and end the review.',
  },
  short: {
    whatHappened: 'More was refunded than the booking allows, probably in the provider’s console.',
    whatToDo: 'If that was intended, end the review as captured.',
  },
  captured_elsewhere: {
    whatHappened: 'The payment was captured without our order, probably in the provider’s console.',
    whatToDo: 'Nothing, unless it happens again: what is not owed is refunded once the booking is decided.',
  },
  unknown_object: {
    whatHappened: 'The provider’s object has another mode, currency or mark than this payment.',
    whatToDo: 'Check the keys of the provider and its console. Nothing is sent for this payment.',
  },
  unknown_fee: {
    whatHappened: 'The cancellation fee is in another currency than the payment.',
    whatToDo: 'Agree on the refund with the guest, refund it, and end the review.',
  },
  vendor_fee: {
    whatHappened: 'The vendor cancelled the booking and named a fee. The guest gets everything back.',
    whatToDo: 'Clarify the fee with the vendor, and mark this as settled.',
  },
  hold_ending: {
    whatHappened: 'The authorisation of a booking with an unknown outcome ends within a day.',
    whatToDo: 'Resolve the booking before the authorisation ends.',
  },
  lapsed: {
    whatHappened: 'The authorisation of a booking with an unknown outcome has ended.',
    whatToDo: 'Resolve the booking. If it is confirmed, the guest has to pay in another way.',
  },
}

const describe = ({ paymentId, captured, authorised, currency, bookingId }: Payment) => {
  const amount = toDecimal({ minor: captured || authorised, currency })
  return `${amount} ${currency}, ${paymentId}${bookingId === undefined ? '' : ` of ${bookingId}`}`
}

const about = ({ bookingId, accountId }: Payment) => ({ accountId, ...(bookingId !== undefined && { bookingId }) })

const reasonEntry = (payment: Payment & { readonly reason: PaymentReason }): AttentionEntry => ({
  id: `payment.${payment.paymentId}.${payment.reason}`,
  kind: 'payment',
  since: payment.stateSince,
  worsenedAt: payment.updatedAt,
  title: `Payment needs attention: ${describe(payment)}`,
  ...ADVICE[payment.reason],
  action: 'open_payment',
  ...about(payment),
})

const stuckEntry = (payment: Payment): AttentionEntry => ({
  id: `payment.${payment.paymentId}.stuck`,
  kind: 'payment',
  since: payment.stateSince,
  title: `Payment is ${payment.state} for long: ${describe(payment)}`,
  whatHappened: 'The provider has not done what was ordered for ten minutes. It is asked again.',
  whatToDo: 'Check the provider’s keys and status page.',
  action: 'open_payment',
  ...about(payment),
})
