import { soldBooking } from '../domain/booking/apply-sale.ts'
import type { Booking, BookingEvent } from '../domain/booking/booking.ts'
import type { Money } from '../domain/money/money.ts'
import { type Payment, type PaymentCard, refundDue } from '../domain/payment/payment.ts'
import { countNights } from '../domain/stay.ts'

/** The guest’s card payment of a booking, with what was refunded. */
export type PaymentReceipt = {
  readonly paymentId: string
  readonly bookingId: string
  readonly reference: string
  readonly guest: string
  readonly property: { readonly name: string; readonly address: string }
  readonly room: string
  readonly checkIn: string
  readonly checkOut: string
  readonly nights: number
  readonly total: Money
  /** Not part of this payment. */
  readonly dueAtProperty: Money
  readonly charged: Money
  /** Epoch ms; undefined if the event has been deleted. */
  readonly chargedAt: number | undefined
  readonly refunded: Money
  readonly refundPending: Money
  /** Undefined after personal data was erased. */
  readonly card: PaymentCard | undefined
  readonly simulated: boolean
  readonly updatedAt: number
}

/** Undefined while nothing has been charged to a card. */
export function createPaymentReceipt(
  stored: Booking,
  payment: Payment | undefined,
  events: readonly BookingEvent[],
): PaymentReceipt | undefined {
  if (payment === undefined || payment.captured === 0) return undefined
  const booking = soldBooking(stored)
  const { property, room, stay, persons, price } = booking
  const [guest] = persons.guests
  const paid = (minor: number): Money => ({ minor, currency: payment.currency })
  return {
    paymentId: payment.paymentId,
    bookingId: booking.bookingId,
    reference: booking.reference,
    guest: `${guest?.givenName ?? ''} ${guest?.familyName ?? ''}`.trim(),
    property: { name: property.name, address: property.address },
    room: room.name,
    checkIn: stay.checkIn,
    checkOut: stay.checkOut,
    nights: countNights(stay),
    total: price.total,
    dueAtProperty: price.dueAtProperty,
    charged: paid(payment.captured),
    chargedAt: events.find(({ kind }) => kind === 'payment_captured')?.at,
    refunded: paid(payment.refunded),
    refundPending: paid(refundDue(payment)),
    card: persons.card,
    simulated: booking.simulated,
    updatedAt: Math.max(booking.updatedAt, payment.updatedAt),
  }
}
