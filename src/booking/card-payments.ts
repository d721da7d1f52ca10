import type { BookedPayment, Booking } from '../domain/booking/booking.ts'
import { AppError } from '../domain/errors.ts'
import type { Money } from '../domain/money/money.ts'
import type { Payment, PaymentCard } from '../domain/payment/payment.ts'
import type { SealedOffer } from '../domain/sealed-offer.ts'

export type CardOrder = {
  readonly account: { readonly id: string; readonly isGuest?: boolean }
  readonly offer: SealedOffer
  readonly paymentId: string | undefined
  readonly termsDigest: string | undefined
  readonly requestId: string
}

/** Amount to be paid by card before the room can be booked. */
export type CardQuote = {
  readonly provider: string
  readonly due: Money
  /** False if the provider cannot charge the amount exactly. */
  readonly isAccepted: boolean
}

/** Claimed by the booking in the transaction that stores its intent. */
export type ClaimedPayment = { readonly payment: BookedPayment; readonly card: PaymentCard | undefined }

/** Card payments as booking needs them. */
export type CardPayments = {
  /** Undefined if this account pays this offer on account. */
  quote(account: CardOrder['account'], offer: SealedOffer): Promise<CardQuote | undefined>
  /** The authorised payment of the order; undefined if it has none and needs none. Throws if the order cannot be booked. */
  prepare(order: CardOrder): Promise<Payment | undefined>
  /** Checks the payment against the vendor's current offer. `short`: more is due than is authorised. */
  claim(order: CardOrder, payment: Payment | undefined): Promise<ClaimedPayment | 'short' | undefined>
  /** Payments of these bookings by their ids. */
  read(bookings: readonly Booking[]): Promise<ReadonlyMap<string, Payment>>
}

/** Without a provider every booking is on account. */
export const withoutCardPayments = (read: CardPayments['read']): CardPayments => ({
  quote: async () => undefined,
  async prepare({ paymentId }) {
    if (paymentId === undefined) return undefined
    throw new AppError(
      'payment_invalid',
      'This service takes no card payments. Omit payment_id to book on account. Nothing was booked.',
    )
  },
  claim: async () => undefined,
  read,
})
