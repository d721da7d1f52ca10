import type { BookingEvent } from '../../../src/domain/booking/booking.ts'
import type { OperatorOrder } from './card-step.ts'
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

/** Data that the invariants of payments check after the run. */
export type PaymentHistory = {
  readonly world: CardWorld
  readonly commits: Pick<ReturnType<typeof watchCommits>, 'violations' | 'moves' | 'changes' | 'warnings'>
  readonly orders: readonly OperatorOrder[]
  readonly bookingMoves: readonly BookingMove[]
  readonly vendorBooked: readonly VendorBooking[]
  /** Times of faults and delays of the database and the provider. */
  readonly disturbances: readonly number[]
  /** From here on the jobs run whenever they are due. */
  readonly jobsFrom: number
  readonly isUnsettled: boolean
  readonly endedAt: number
}
