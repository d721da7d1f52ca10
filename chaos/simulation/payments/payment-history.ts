import type { BookingEvent } from '../../../src/domain/booking/booking.ts'
import type { OperatorAct } from './card-step.ts'
import type { CardWorld } from './card-world.ts'
import type { watchCommits } from './watch-commits.ts'

export type BookingMove = Pick<BookingEvent, 'to'> & {
  readonly bookingId: string
  readonly from: BookingEvent['from']
  readonly paymentId: string | undefined
  readonly isByVendor: boolean
  readonly order: number
  readonly at: number
}

/** The vendor's booking of a reference. */
export type VendorBooking = { readonly reference: string; readonly order: number; readonly at: number }

/** An order of an operator, as the operator knows its outcome. */
export type OperatorOrder = {
  readonly paymentId: string
  readonly act: OperatorAct['act']
  /** In minor units; 0 for an end of a review. */
  readonly amount: number
  outcome: 'done' | 'refused' | 'unknown'
  readonly beganOrder: number
  endedOrder: number
}

/** Data that the invariants of payments check after the run. */
export type PaymentHistory = {
  readonly world: CardWorld
  readonly commits: Pick<ReturnType<typeof watchCommits>, 'violations' | 'moves' | 'changes' | 'warnings'>
  readonly orders: readonly OperatorOrder[]
  readonly bookingMoves: readonly BookingMove[]
  readonly vendorBooked: readonly VendorBooking[]
  readonly isUnsettled: boolean
  readonly endedAt: number
}
