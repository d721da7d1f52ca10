import type { CallContext } from '../../lib/async/call-context.ts'
import { chunk } from '../../lib/chunk.ts'
import type { ListedBooking, Receipt, Vendor } from '../../vendors/contract.ts'
import { bookingLookup } from '../settle/settle-bookings.ts'
import type { BookingStore } from '../store/bookings.ts'
import type { OwnBooking } from '../store/reconciling.ts'

const LOOKUPS_AT_ONCE = 4

/** `found` is undefined if the vendor does not have it. */
export type LookedUp = { readonly own: OwnBooking; readonly found: ListedBooking | undefined }

/** Reads bookings of ours one by one, for a vendor that cannot list them. */
export async function* lookUpOwn(
  bookings: Pick<BookingStore, 'any'>,
  vendor: Vendor,
  rows: readonly OwnBooking[],
  context: CallContext,
): AsyncIterable<LookedUp> {
  for (const part of chunk(rows, LOOKUPS_AT_ONCE)) {
    const lookUp = async (own: OwnBooking): Promise<LookedUp[]> => {
      const booking = await bookings.any(own.bookingId)
      // A vendor may require the e-mail address, which is erased with the guests' data.
      if (booking === undefined || booking.persons.contact.email === '') return []
      const receipt = await vendor.find(bookingLookup(booking), context)
      return [{ own, found: receipt && toListed(own.reference, receipt) }]
    }
    for (const lookedUp of await Promise.all(part.map(lookUp))) yield* lookedUp
  }
}

const toListed = (reference: string, { vendorReference, state, property, dates }: Receipt): ListedBooking => ({
  ...{ reference, vendorReference, state },
  propertyName: property?.name ?? '',
  checkIn: dates?.checkIn ?? '',
  checkOut: dates?.checkOut ?? '',
})
