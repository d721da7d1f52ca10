import type { Static } from 'typebox'
import type { Booking } from '../../domain/booking/booking.ts'
import type { Found } from '../find-anything.ts'
import type { FindResponse } from '../schemas/find.ts'
import { presentSearchedRange } from './booking.ts'
import { presentRequest } from './requests.ts'

type Shown = Static<typeof FindResponse>['data']

export const presentFound = ({ bookings, accounts, requests, looked }: Found): Shown => ({
  bookings: bookings.map(presentFoundBooking),
  accounts: accounts.map(({ id, email, name, role }) => ({ id, email, name, role })),
  requests: requests.map(presentRequest),
  looked_at: looked === undefined ? null : presentSearchedRange(looked),
})

function presentFoundBooking(booking: Booking): Shown['bookings'][number] {
  const [lead] = booking.persons.guests
  return {
    booking_id: booking.bookingId,
    reference: booking.reference,
    vendor_reference: booking.vendorReference ?? null,
    status: booking.state,
    simulated: booking.simulated,
    property_name: booking.property.name,
    check_in: booking.stay.checkIn,
    lead_guest: lead === undefined ? null : `${lead.givenName} ${lead.familyName}`,
  }
}
