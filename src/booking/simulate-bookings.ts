import { AppError } from '../domain/app-error.ts'
import { type Booking, type BookingEvent, isBookingId } from '../domain/booking.ts'
import type { BookingStore } from '../store/bookings.ts'
import { type BookDeps, intentOf } from './book-stay.ts'
import { type CancelBooking, penaltyOf } from './cancel-booking.ts'
import { noSuchBooking, type ReadBookings } from './list-bookings.ts'
import { personsOf, readBookRequest } from './read-book-request.ts'

type Deps = Pick<Required<BookDeps>, 'ids' | 'clock' | 'describeProperty' | 'inventOffer'> & {
  readonly bookings: Pick<BookingStore, 'get'>
  /** Whether the script leaves a cancellation without the vendor's word. */
  readonly leavesDoubt: boolean
}

const GUEST = { name: 'Simulated Guest', email: 'guest@example.com' }

/**
 * Under the simulation header. A simulated booking is cancelled by the simulator; a real one must not hear of it; an id that
 * was never given out is answered as if it were one, so that the operation can be tried alone.
 */
export function simulateCancel(deps: Deps, cancelSimulated: CancelBooking): CancelBooking {
  return async (order, context) => {
    const own = await deps.bookings.get(order.accountId, order.bookingId)
    if (own?.simulated === true) return cancelSimulated(order, context)
    if (own !== undefined) {
      throw new AppError('not_cancellable', 'This booking is real: leave x-simulate-return out to cancel it.')
    }
    const booking = await inventBooking(deps, order.accountId, order.bookingId)
    const penalty = penaltyOf(booking, deps.clock.now())
    if (order.preview) return { booking, penalty, preview: true }
    const state = deps.leavesDoubt ? 'cancelling' : 'cancelled'
    return { booking: { ...booking, state }, penalty, preview: false }
  }
}

/** A caller's own booking as it is, simulated or not: reading asks no vendor. Any other id is made up. */
export function simulateShow(deps: Deps, show: ReadBookings['show']): ReadBookings['show'] {
  return async (accountId, bookingId) => {
    if ((await deps.bookings.get(accountId, bookingId)) !== undefined) return show(accountId, bookingId)
    const booking = await inventBooking(deps, accountId, bookingId)
    return { booking, events: historyOf(booking) }
  }
}

/** Confirmed, of the simulator, and kept nowhere. */
async function inventBooking(deps: Deps, accountId: string, bookingId: string): Promise<Booking> {
  if (!isBookingId(bookingId)) throw noSuchBooking()
  const body = { booking_id: bookingId }
  // Not read as a body: an id may look like anything, a card number included.
  const request = { ...readBookRequest({}), bookingInfo: body }
  const offer = await deps.inventOffer(accountId, request)
  const order = { account: { id: accountId, ...GUEST }, body, idempotencyKey: undefined }
  const intent = await intentOf(deps, order, request, offer, personsOf(request, GUEST, offer.stay.occupancies.length))
  return { ...intent, bookingId, state: 'confirmed', vendorReference: `SIM-${intent.reference}` }
}

function historyOf({ createdAt: at }: Booking): BookingEvent[] {
  const states = ['pending', 'submitting', 'confirmed'] as const
  return states.map((to, index) => ({ sequence: index + 1, from: states[index - 1], to, at, reason: undefined }))
}
