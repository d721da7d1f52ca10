import { Type } from 'typebox'
import { READING_OUTCOMES } from '../../domain/booking/booking.ts'
import { dataEnvelope } from '../../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../../http/schemas/or-null.ts'
import { Moment } from '../../http/schemas/scalars.ts'
import { TEST_DAYS_MAX } from '../store/test-clocks.ts'
import { AcceptedTotal, BookingEventSchema, BookingSchema, GuestsRequest, WishesRequest } from './bookings.ts'

export const AmendRequest = Type.Object(
  {
    guests: optionalOrNull(GuestsRequest, 'The lead guests of all rooms.'),
    special_requests: optionalOrNull(WishesRequest),
    accept_price_up_to: optionalOrNull(
      AcceptedTotal,
      'Accept another total of the booking up to this one. Without it, a change that alters the total is refused with `price_changed`.',
    ),
  },
  { title: 'AmendRequest', 'x-errors': { type: { message: 'The body must be an object.' } } },
)

const HOURS_MAX = 24 * TEST_DAYS_MAX

export const ClockRequest = Type.Object(
  {
    advance_hours: Type.Number({
      exclusiveMinimum: 0,
      maximum: HOURS_MAX,
      'x-errors': {
        '*': { code: 'out_of_range', message: `advance_hours must be a number above 0, at most ${HOURS_MAX}.` },
        required: { code: 'required', message: 'advance_hours is missing.' },
      },
    }),
    booking_id: optionalOrNull(Type.String(), 'Moves only this booking; the clock does not change.'),
  },
  { title: 'ClockRequest' },
)

export const ClockResponse = dataEnvelope('ClockAnswer', Type.Object({ now: Moment }, { title: 'TestClock' }))

export const NotificationResponse = dataEnvelope(
  'NotificationAnswer',
  Type.Object(
    { known: Type.Boolean({ description: 'True if it concerns a booking of ours that is still monitored.' }) },
    { title: 'NotificationTaken' },
  ),
)

export const ReadingSchema = Type.Object(
  {
    at: Moment,
    outcome: Type.Enum([...READING_OUTCOMES], { description: '`absent`: the vendor did not know the booking.' }),
    vendor_says: nullable(
      Type.Record(Type.String(), Type.Unknown()),
      'The vendor’s version of the booking, as far as it was reported.',
    ),
  },
  { title: 'BookingReading', description: 'One reading of the booking at its vendor after confirmation.' },
)

export const HistoryResponse = dataEnvelope(
  'BookingHistoryAnswer',
  Type.Object(
    { booking: BookingSchema, events: Type.Array(BookingEventSchema), readings: Type.Array(ReadingSchema) },
    { title: 'BookingHistory' },
  ),
)
