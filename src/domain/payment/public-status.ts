import type { Payment } from './payment.ts'

export const PAYMENT_STATUSES = [
  'requires_payment',
  'authorised',
  'held',
  'capturing',
  'captured',
  'refunding',
  'partly_refunded',
  'refunded',
  'voiding',
  'voided',
  'failed',
  'needs_review',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** State as clients see it. */
export function publicStatus({ state, captured, refunded, bookingId }: Payment): PaymentStatus {
  switch (state) {
    case 'creating':
    case 'open':
      return 'requires_payment'
    case 'captured':
      if (refunded === 0) return 'captured'
      return refunded >= captured ? 'refunded' : 'partly_refunded'
    case 'lapsed':
      return bookingId === undefined ? 'voided' : 'needs_review'
    default:
      return state
  }
}
