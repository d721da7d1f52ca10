import { byVendor } from '../../domain/actor.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Receipt } from '../../vendors/contract.ts'
import type { BookingStore } from '../store/bookings.ts'

/** Undefined if no number is new. The property's own number often arrives days after the vendor's. */
export async function storeConfirmationNumbers(
  { bookings, clock }: { readonly bookings: BookingStore; readonly clock: Clock },
  { bookingId, vendorId }: Pick<Booking, 'bookingId' | 'vendorId'>,
  { state, confirmation }: Receipt,
): Promise<Booking | undefined> {
  if (state !== 'confirmed' || confirmation === undefined) return undefined
  return bookings.noteNumbers(bookingId, confirmation, clock.now(), byVendor(vendorId))
}
