import type { Static } from 'typebox'
import { AppError } from '../domain/app-error.ts'
import type { Booking, BookingEvent } from '../domain/booking.ts'
import { type Money, subtractMoney, toMajor, zero } from '../domain/money.ts'
import type { Price } from '../domain/offer.ts'
import { nightsOf } from '../domain/stay.ts'
import type { StoredAnswer } from '../store/bookings.ts'
import { presentFee, presentPolicy } from './present-detail.ts'
import { problemOf } from './problem.ts'
import type { BookingSchema } from './schemas/bookings.ts'

export function presentBooking(
  booking: Booking,
  now: number,
  events?: readonly BookingEvent[],
): Static<typeof BookingSchema> {
  const { property, stay, price, persons } = booking
  const { timezone, checkInTime } = property
  const { total, dueAtProperty } = price
  const frame = { total, dueAtProperty, stay, timezone, checkInTime, now }
  return {
    booking_id: booking.bookingId,
    status: booking.state,
    vendor_id: booking.vendorId,
    vendor_reference: booking.vendorReference ?? null,
    reference: booking.reference,
    client_reference: booking.clientReference ?? null,
    property: {
      property_id: property.propertyId,
      vendors_property_id: property.vendorPropertyId,
      name: property.name,
      address: property.address,
      location: { ...property.location },
      phone: property.phone,
      image: property.image,
      timezone: property.timezone,
      check_in_time: property.checkInTime,
      check_out_time: property.checkOutTime,
    },
    room: {
      room_id: booking.room.roomId,
      name: booking.room.name,
      beds: [...booking.room.beds],
      board: booking.room.board,
    },
    check_in: stay.checkIn,
    check_out: stay.checkOut,
    nights: nightsOf(stay),
    occupancies: stay.occupancies.map(({ adults, childrenAges }) => ({ adults, children_ages: [...childrenAges] })),
    guests: persons.guests.map((guest) => ({
      given_name: guest.givenName,
      family_name: guest.familyName,
      ...(guest.email === '' ? {} : { email: guest.email }),
      ...(guest.phone === '' ? {} : { phone: guest.phone }),
    })),
    contact: {
      ...(persons.contact.email === '' ? {} : { email: persons.contact.email }),
      ...(persons.contact.phone === '' ? {} : { phone: persons.contact.phone }),
    },
    special_requests: persons.specialRequests,
    total_price: toMajor(price.total),
    currency: price.total.currency,
    base_price: toMajor(price.base),
    taxes_fees: toMajor(price.taxesFees),
    due_at_property: toMajor(price.dueAtProperty),
    fees: price.fees.map(presentFee),
    cancel_policy: presentPolicy(booking.cancel, frame),
    cancellation: presentCancellation(booking),
    created_at: new Date(booking.createdAt).toISOString(),
    updated_at: new Date(booking.updatedAt).toISOString(),
    simulated: booking.simulated,
    search_id: booking.searchId,
    ...(events === undefined ? {} : { events: events.map(presentEvent) }),
  }
}

function presentCancellation({ state, cancelFee, price }: Booking): Static<typeof BookingSchema>['cancellation'] {
  if (state !== 'cancelled' || cancelFee === undefined) return null
  return {
    penalty: toMajor(cancelFee),
    refund: toMajor(refundOf(price, cancelFee)),
    currency: cancelFee.currency,
  }
}

/** What comes back of what was paid. What would have been due at the property was never paid. */
export function refundOf(price: Price, penalty: Money): Money {
  const paid = subtractMoney(price.total, price.dueAtProperty)
  if (penalty.currency !== paid.currency) return paid
  return penalty.minor >= paid.minor ? zero(paid.currency) : subtractMoney(paid, penalty)
}

const presentEvent = (event: BookingEvent) => ({
  sequence: event.sequence,
  type: `booking.${event.to}`,
  from: event.from ?? null,
  to: event.to,
  at: new Date(event.at).toISOString(),
  reason: event.reason ?? null,
})

/**
 * The one answer a booking request gets, as bytes: 201 when it is made, 202 while that is not known, 409 when the vendor
 * refused. It is written down with the booking, and whoever repeats the request gets what was written.
 */
export function bookingAnswer(booking: Booking, reason?: string, alternatives: readonly unknown[] = []): StoredAnswer {
  if (booking.state === 'rejected') {
    const { status, body } = problemOf(refusal(booking, reason, alternatives), booking.bookingId)
    return { status, body: JSON.stringify(body) }
  }
  const status =
    booking.state === 'confirmed' || booking.state === 'cancelling' || booking.state === 'cancelled' ? 201 : 202
  return { status, body: JSON.stringify({ data: presentBooking(booking, booking.updatedAt) }) }
}

function refusal(booking: Booking, reason: string | undefined, alternatives: readonly unknown[]): AppError {
  const extra = { booking_id: booking.bookingId, booking: presentBooking(booking, booking.updatedAt) }
  if (reason === 'sold_out') {
    return new AppError('sold_out', 'The vendor sold the last room while it was being booked. Nothing was booked.', {
      extra: { ...extra, alternatives },
    })
  }
  const words =
    reason === 'not_sent'
      ? 'We were interrupted before the vendor heard of this booking. Nothing was booked; fetch the property again and book anew.'
      : 'The vendor refused this booking. Nothing was booked; fetch the property again for fresh rooms.'
  return new AppError('booking_rejected', words, { extra })
}
