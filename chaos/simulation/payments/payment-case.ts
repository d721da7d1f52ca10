import { soldBooking } from '../../../src/domain/booking/apply-sale.ts'
import type { Booking, BookingState } from '../../../src/domain/booking/booking.ts'
import { dueByCard } from '../../../src/domain/payment/owed.ts'
import type { Tables } from '../../../src/store/tables.ts'
import type { Violation } from '../violation.ts'
import type { OperatorOrder } from './card-step.ts'
import type { PaymentHistory } from './payment-history.ts'
import type { Intent, MoneyEntry } from './provider-ledger.ts'
import type { SentRequest } from './scripted-provider.ts'

export type PaymentRow = Tables['payments']

/** One payment with everything that belongs to it, here and at the provider. */
export type PaymentCase = {
  readonly row: PaymentRow
  readonly booking: Booking | undefined
  readonly intent: Intent | undefined
  readonly entries: readonly MoneyEntry[]
  readonly requests: readonly SentRequest[]
  readonly cards: PaymentHistory
  /** Orders of operators that were not refused. */
  readonly orders: readonly OperatorOrder[]
  /** A person acted at the dashboard, or the bank or the provider refused or ended something. */
  readonly causes: ReadonlySet<'dashboard' | 'ended' | 'refused' | 'returned'>
}

export const violation = (name: Violation['name'], message: string): Violation[] => [{ name, message }]
export const dueOf = (booking: Booking): number => dueByCard(soldBooking(booking).price).minor
export const penaltyOf = (booking: Booking): number =>
  Math.min(soldBooking(booking).cancelFee?.minor ?? 0, dueOf(booking))

/** State of the booking when something else happened. */
export function stateAt(cards: PaymentHistory, bookingId: string | undefined, order: number): BookingState | undefined {
  return cards.bookingMoves.findLast((move) => move.bookingId === bookingId && move.order < order)?.to
}
