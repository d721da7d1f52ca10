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
  /** Highest total that the client agreed to, in minor units. */
  readonly agreed: number | undefined
  readonly intent: Intent | undefined
  readonly entries: readonly MoneyEntry[]
  readonly requests: readonly SentRequest[]
  readonly cards: PaymentHistory
  /** Orders of operators that were not refused. */
  readonly orders: readonly OperatorOrder[]
  readonly causes: ReadonlySet<Cause>
}

/** A person acted at the dashboard, or the bank or the provider refused (`not_released`: a release) or ended something. */
export type Cause = 'dashboard' | 'ended' | 'refused' | 'not_released' | 'returned'

export const violation = (name: Violation['name'], message: string): Violation[] => [{ name, message }]
export const dueOf = (booking: Booking): number => dueByCard(soldBooking(booking).price).minor
export const penaltyOf = (booking: Booking): number =>
  Math.min(soldBooking(booking).cancelFee?.minor ?? 0, dueOf(booking))

/** State of the booking when something else happened. */
export function stateAt(cards: PaymentHistory, bookingId: string | undefined, order: number): BookingState | undefined {
  return cards.bookingMoves.findLast((move) => move.bookingId === bookingId && move.order < order)?.to
}
