import { soldBooking } from '../../domain/booking/apply-sale.ts'
import type { Booking } from '../../domain/booking/booking.ts'
import { entityTag } from '../../http/middleware/entity-tags.ts'
import { presentBookedPolicy } from './booking.ts'

/** Tag of everything that a booking's response depends on: the stored booking, and the time if it changes the terms. */
export const bookingTag = (booking: Booking, now: number, seesNet: boolean): string =>
  entityTag(JSON.stringify([booking, presentBookedPolicy(soldBooking(booking), now), seesNet]))
