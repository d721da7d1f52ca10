import { byVendor } from '../../domain/actor.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Receipt } from '../../vendors/contract.ts'
import type { BookingStore } from '../store/bookings.ts'

/**
 * Keeps the confirmation numbers that a reading of a confirmed booking brought, with the event `booking.confirmation_number`.
 * The property's own number often comes days after the vendor's. Returns the booking if anything was new.
 */
export async function noteNumbersOf(
  { bookings, clock }: { readonly bookings: BookingStore; readonly clock: Clock },
  { bookingId, vendorId }: Pick<Booking, 'bookingId' | 'vendorId'>,
  { state, confirmation }: Receipt,
): Promise<Booking | undefined> {
  if (state !== 'confirmed' || confirmation === undefined) return undefined
  return bookings.noteNumbers(bookingId, confirmation, clock.now(), byVendor(vendorId))
}
