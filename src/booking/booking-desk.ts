import type { BookStay } from './book-stay.ts'
import type { CancelBooking } from './cancel-booking.ts'
import type { ReadBookings } from './list-bookings.ts'

/** What a request may do with bookings, in the real world or in the simulator's. */
export type BookingDesk = {
  readonly book: BookStay
  readonly cancel: CancelBooking
  readonly show: ReadBookings['show']
}
