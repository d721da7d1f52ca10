import type { Static } from 'typebox'
import { billedFee, netInSaleCurrency, soldBooking } from '../../domain/booking/apply-sale.ts'
import { type Booking, type BookingEvent, bookingTime, type ConfirmationNumbers } from '../../domain/booking/booking.ts'
import { calculateRefund } from '../../domain/booking/cancel-policy.ts'
import type { Discrepancy } from '../../domain/booking/discrepancy.ts'
import { AppError, type ErrorCode } from '../../domain/errors.ts'
import { toMajor } from '../../domain/money/money.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { countNights } from '../../domain/stay.ts'
import { moment, momentOrNull } from '../../http/present/moment.ts'
import { presentMoney } from '../../http/present/money.ts'
import { toProblem } from '../../http/problem.ts'
import {
  presentBeds,
  presentEachRoom,
  presentFee,
  presentNotice,
  presentPolicy,
} from '../../search/present/property-detail.ts'
import { presentSummary } from '../../search/present/summary.ts'
import type { CancelOutcome } from '../cancel-booking.ts'
import type { Fallback } from '../refusals.ts'
import type {
  BookedNetSchema,
  BookingEventSchema,
  BookingSchema,
  ConfirmationSchema,
  DiscrepancySchema,
} from '../schemas/bookings.ts'
import type { StoredAnswer } from '../store/answers.ts'
import { presentOfferChange } from './offer-change.ts'
import { presentBookedPayment, presentCancelPayment } from './payment.ts'

/** With `seesNet`, includes net prices. */
export function presentBooking(
  stored: Booking,
  now: number,
  events?: readonly BookingEvent[],
  seesNet = false,
  payment?: Payment,
): Static<typeof BookingSchema> {
  const booking = soldBooking(stored)
  const { property, stay, price, persons } = booking
  return {
    booking_id: booking.bookingId,
    status: booking.state,
    vendor_id: booking.vendorId,
    vendor_reference: booking.vendorReference ?? null,
    reference: booking.reference,
    client_reference: booking.clientReference ?? null,
    property: presentProperty(property),
    room: {
      room_id: booking.room.roomId,
      name: booking.room.name,
      room_type_name: booking.room.typeName ?? booking.room.name,
      ...presentBeds(booking.room.beds),
      board: booking.room.board,
      ...(booking.room.each && { each_room: booking.room.each.map(presentEachRoom) }),
    },
    check_in: stay.checkIn,
    check_out: stay.checkOut,
    nights: countNights(stay),
    occupancies: stay.occupancies.map(({ adults, childrenAges }) => ({ adults, children_ages: [...childrenAges] })),
    guests: persons.guests.map((guest) => ({
      given_name: guest.givenName,
      family_name: guest.familyName,
      ...presentContact(guest),
    })),
    contact: presentContact(persons.contact),
    special_requests: persons.specialRequests,
    total_price: toMajor(price.total),
    currency: price.total.currency,
    base_price: toMajor(price.base),
    taxes_fees: toMajor(price.taxesFees),
    due_at_property: toMajor(price.dueAtProperty),
    fees: price.fees.map(presentFee),
    cancel_policy: presentBookedPolicy(booking, now),
    cancellation: presentCancellation(booking),
    notices: (booking.notices ?? []).map(presentNotice),
    rooms: stay.occupancies.map((_, index) => ({ number: index + 1, status: roomStatus(booking, index) })),
    confirmation: presentConfirmation(booking),
    discrepancies: (booking.discrepancies ?? []).map(presentDiscrepancy),
    ...presentBookedPayment(booking, payment),
    created_at: moment(booking.createdAt),
    updated_at: moment(booking.updatedAt),
    simulated: booking.simulated,
    search_id: booking.searchId,
    ...(booking.personsErasedAt === undefined ? {} : { persons_erased_at: moment(booking.personsErasedAt) }),
    ...(seesNet && { net: presentNet(stored) }),
    ...(events === undefined ? {} : { events: events.map(presentEvent) }),
  }
}

function presentNet(booking: Booking): Static<typeof BookedNetSchema> {
  const { price, sale, cancelFee, payable = price.total } = booking
  return {
    total: toMajor(payable),
    currency: price.total.currency,
    in_sold_currency: toMajor(netInSaleCurrency(booking)),
    cancellation_fee: cancelFee === undefined ? null : toMajor(billedFee(booking, cancelFee)),
    rules_version: sale?.terms.version ?? null,
    rule_priority: sale?.terms.priority ?? null,
  }
}

/** All rooms of an ended booking share its state. */
const roomStatus = ({ state, rooms }: Booking, index: number): Booking['state'] =>
  state === 'cancelled' || state === 'rejected' ? state : (rooms?.[index] ?? state)

/** Falls back to the vendor's reference if the vendor sent no number for the whole booking. */
export function presentConfirmation({ confirmation, vendorReference }: Booking): Static<typeof ConfirmationSchema> {
  const numbers = ({ vendor, property }: ConfirmationNumbers) => ({
    vendor: vendor ?? null,
    property: property ?? null,
  })
  return {
    vendor: confirmation?.vendor ?? vendorReference ?? null,
    property: confirmation?.property ?? null,
    rooms: (confirmation?.rooms ?? []).map(numbers),
  }
}

export const presentDiscrepancy = (discrepancy: Discrepancy): Static<typeof DiscrepancySchema> => ({
  code: discrepancy.code,
  since: moment(discrepancy.since),
  until: momentOrNull(discrepancy.until),
  ...presentSides(discrepancy),
})

function presentSides(discrepancy: Discrepancy): Pick<Static<typeof DiscrepancySchema>, 'booked' | 'vendor_says'> {
  switch (discrepancy.code) {
    case 'property_differs': {
      const [booked, vendorSays] = [discrepancy.booked, discrepancy.vendorSays].map(({ vendorPropertyId, name }) => ({
        vendors_property_id: vendorPropertyId,
        name: name ?? null,
      }))
      return { booked, vendor_says: vendorSays }
    }
    case 'dates_differ': {
      const [booked, vendorSays] = [discrepancy.booked, discrepancy.vendorSays].map(({ checkIn, checkOut }) => ({
        check_in: checkIn,
        check_out: checkOut,
      }))
      return { booked, vendor_says: vendorSays }
    }
    case 'price_differs':
      return { booked: presentMoney(discrepancy.booked), vendor_says: presentMoney(discrepancy.vendorSays) }
    case 'terms_differ': {
      const [booked, vendorSays] = [discrepancy.booked, discrepancy.vendorSays].map((term) =>
        term.what === 'board'
          ? { board: term.board }
          : { cancellation_fee: presentMoney(term.fee), from: moment(term.from) },
      )
      return { booked, vendor_says: vendorSays }
    }
    case 'room_cancelled':
      return {
        booked: discrepancy.booked,
        vendor_says:
          discrepancy.rooms === undefined
            ? discrepancy.vendorSays
            : { status: discrepancy.vendorSays, rooms: [...discrepancy.rooms] },
      }
    default:
      return { booked: discrepancy.booked, vendor_says: discrepancy.vendorSays }
  }
}

const presentProperty = (property: Booking['property']) => ({
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
})

const presentContact = ({ email, phone }: { readonly email: string; readonly phone: string }) => ({
  ...(email === '' ? {} : { email }),
  ...(phone === '' ? {} : { phone }),
})

function presentCancellation({
  state,
  cancelFee,
  price,
  confirmation,
}: Booking): Static<typeof BookingSchema>['cancellation'] {
  if (state !== 'cancelled' || cancelFee === undefined) return null
  return {
    penalty: toMajor(cancelFee),
    refund: toMajor(calculateRefund(price, cancelFee)),
    currency: cancelFee.currency,
    vendor_reference: confirmation?.cancellation ?? null,
  }
}

export function presentCancel({ booking: stored, penalty, preview, payment }: CancelOutcome, now: number) {
  const booking = soldBooking(stored)
  const { property, stay } = booking
  return {
    booking_id: booking.bookingId,
    status: booking.state,
    preview,
    property: { property_id: property.propertyId, name: property.name },
    check_in: stay.checkIn,
    check_out: stay.checkOut,
    penalty: toMajor(penalty),
    refund: toMajor(calculateRefund(booking.price, penalty)),
    currency: penalty.currency,
    ...presentCancelPayment(booking, penalty, payment),
    cancel_policy: presentBookedPolicy(booking, now),
  }
}

export const presentBookedPolicy = (booking: Booking, now: number) =>
  presentPolicy(booking.cancel, {
    ...booking.price,
    ...booking.property,
    stay: booking.stay,
    now: bookingTime(now, booking),
  })

export const presentEvent = (event: BookingEvent): Static<typeof BookingEventSchema> => ({
  sequence: event.sequence,
  type: `booking.${event.kind ?? event.to}`,
  from: event.from ?? null,
  to: event.to,
  at: moment(event.at),
  reason: event.reason ?? null,
  ...presentBy(event),
})

export const presentBy = ({ by }: BookingEvent) => ({
  actor: by === undefined ? null : { ...by.actor },
  request_id: by?.requestId ?? null,
})

/** Stored, so that repeated requests get the same bytes: 201 if booked, 202 while unknown, otherwise a problem. */
export function bookingAnswer(
  booking: Booking,
  reason?: string,
  fallback: Fallback = {},
  requestId = booking.bookingId,
): StoredAnswer {
  const data = presentBooking(booking, booking.updatedAt)
  if (booking.state !== 'rejected') {
    const isMade = booking.state === 'confirmed' || booking.state === 'cancelling' || booking.state === 'cancelled'
    return { status: isMade ? 201 : 202, body: JSON.stringify({ data }) }
  }
  const { status, body } = toProblem(refusal(reason, booking.payment !== undefined), requestId)
  const { alternatives = [], change } = fallback
  const others = alternatives.map((property) => presentSummary(property, booking.simulated))
  const members = {
    booking_id: booking.bookingId,
    booking: data,
    ...(booking.payment && { payment: { payment_id: booking.payment.paymentId, status: 'voiding' } }),
    ...(reason === 'sold_out' && { alternatives: others }),
    ...(reason === 'price_changed' && (change === undefined ? { room: null } : presentOfferChange(change))),
  }
  return { status, body: JSON.stringify({ ...members, ...body }) }
}

/** Removes the persons from a stored response after their erasure. */
export function withoutPersons({ status, body }: StoredAnswer, erasedAt: number): StoredAnswer {
  const { data, booking, ...rest } = JSON.parse(body)
  const fields = { guests: [], contact: {}, special_requests: '', persons_erased_at: moment(erasedAt) }
  const erase = (shown: Static<typeof BookingSchema>) => ({
    ...shown,
    ...fields,
    ...(shown.payment && { payment: { ...shown.payment, card: null } }),
  })
  const answer = {
    ...rest,
    ...(data === undefined ? {} : { data: erase(data) }),
    ...(booking === undefined ? {} : { booking: erase(booking) }),
  }
  return { status, body: JSON.stringify(answer) }
}

const BOOK_AGAIN = 'Fetch the property again and book again.'
const BOOK_LATER = 'Fetch the property again later and book again.'
const UNREACHED = ['vendors_failed', 'The booking did not get through to the vendor.', BOOK_LATER] as const

const REFUSALS: Readonly<Record<string, readonly [code: ErrorCode, cause: string, advice?: string]>> = {
  sold_out: ['sold_out', 'The vendor sold the last room while it was being booked.'],
  price_changed: ['price_changed', 'The vendor raised the price while it was being booked.'],
  throttled: ['overloaded', 'The vendor is rate limiting requests.', 'Repeat the request later.'],
  expired: ['offer_expired', 'The offer has expired at the vendor.', BOOK_AGAIN],
  timeout: ['vendor_timeout', 'The booking could not be sent to the vendor in time.', BOOK_AGAIN],
  unavailable: UNREACHED,
  unreachable: UNREACHED,
  credentials: UNREACHED,
  not_sent: [
    'overloaded',
    'The service was interrupted before it sent the booking to the vendor.',
    'Repeat the request.',
  ],
  not_reached: ['booking_rejected', 'The booking did not reach the vendor.', BOOK_AGAIN],
}

function refusal(reason = '', isByCard = false): AppError {
  const refused = ['booking_rejected', 'The vendor refused this booking.', BOOK_AGAIN] as const
  const [code, cause, advice = ''] = REFUSALS[reason] ?? refused
  if (!isByCard) return new AppError(code, `${cause} Nothing was booked. ${advice}`.trim())
  const money = 'Nothing was charged; the authorisation is being released.'
  const next = advice === '' ? '' : 'Book again with a new payment.'
  return new AppError(code, `${cause} Nothing was booked. ${money} ${next}`.trim())
}
