import { Type } from 'typebox'
import { BOOKING_STATES } from '../../domain/booking.ts'
import { BOARDS } from '../../domain/offer.ts'
import { listEnvelope } from '../../lists/meta-schema.ts'
import { CancelPolicySchema, FeeSchema } from './detail.ts'
import { bookingExample, meta } from './examples.ts'
import { orNull } from './or-null.ts'

const names = {
  given_name: Type.String({ minLength: 1, maxLength: 60 }),
  family_name: Type.String({ minLength: 1, maxLength: 60 }),
}
const email = Type.String({ maxLength: 254 })
const phone = Type.String({ maxLength: 25 })

export const ContactSchema = Type.Object({ email: Type.Optional(email), phone: Type.Optional(phone) })
export const GuestSchema = Type.Object({ ...names, ...ContactSchema.properties })

const ContactRequest = Type.Object({ email: orNull(email), phone: orNull(phone) })
const GuestRequest = Type.Object({ ...names, ...ContactRequest.properties })

/** The room's `booking_info` as received; beside it, all optional, the reserved names. */
export const BookRequest = Type.Object(
  {
    bed_id: orNull(Type.String()),
    price_check_uri: orNull(Type.String()),
    guests: orNull(Type.Array(GuestRequest, { maxItems: 8 }), 'The lead guest of each room.'),
    contact: orNull(ContactRequest),
    special_requests: orNull(Type.String({ maxLength: 1000 })),
    accept_price_up_to: orNull(Type.Number({ minimum: 0 }), 'Book up to this total without asking again.'),
    client_reference: orNull(Type.String({ maxLength: 64 })),
  },
  {
    additionalProperties: true,
    examples: [
      {
        bed_id: '37321',
        price_check_uri: '/api/accommodation/price_check?token=sof1.k1.Yd0…',
        guests: [{ given_name: 'Ana', family_name: 'Costa', email: 'ana@example.com', phone: '+351910000000' }],
      },
    ],
  },
)

export const BookingEventSchema = Type.Object({
  sequence: Type.Integer(),
  type: Type.String(),
  from: Type.Union([Type.String(), Type.Null()]),
  to: Type.String(),
  at: Type.String({ format: 'date-time' }),
  reason: Type.Union([Type.String(), Type.Null()]),
})

export const BookingSchema = Type.Object({
  booking_id: Type.String(),
  status: Type.Enum([...BOOKING_STATES]),
  vendor_id: Type.String(),
  vendor_reference: Type.Union([Type.String(), Type.Null()]),
  reference: Type.String({ description: 'Our own reference, as the vendor knows it.' }),
  client_reference: Type.Union([Type.String(), Type.Null()]),
  property: Type.Object({
    property_id: Type.String(),
    vendors_property_id: Type.String(),
    name: Type.String(),
    address: Type.String(),
    location: Type.Object({ lat: Type.Number(), lon: Type.Number() }),
    phone: Type.String(),
    image: Type.String(),
    timezone: Type.String(),
    check_in_time: Type.String(),
    check_out_time: Type.String(),
  }),
  room: Type.Object({
    room_id: Type.String(),
    name: Type.String(),
    beds: Type.Array(Type.String()),
    board: Type.Enum([...BOARDS]),
  }),
  check_in: Type.String(),
  check_out: Type.String(),
  nights: Type.Integer(),
  occupancies: Type.Array(Type.Object({ adults: Type.Integer(), children_ages: Type.Array(Type.Integer()) })),
  guests: Type.Array(GuestSchema),
  contact: ContactSchema,
  special_requests: Type.String(),
  total_price: Type.Number(),
  currency: Type.String(),
  base_price: Type.Number(),
  taxes_fees: Type.Number(),
  due_at_property: Type.Number(),
  fees: Type.Array(FeeSchema),
  cancel_policy: CancelPolicySchema,
  cancellation: Type.Union([
    Type.Object({ penalty: Type.Number(), refund: Type.Number(), currency: Type.String() }),
    Type.Null(),
  ]),
  created_at: Type.String({ format: 'date-time' }),
  updated_at: Type.String({ format: 'date-time' }),
  simulated: Type.Boolean(),
  search_id: Type.String(),
  events: Type.Optional(Type.Array(BookingEventSchema)),
})

export const BookingResponse = Type.Object({ data: BookingSchema })

export const CancelResponse = Type.Object({
  data: Type.Object({
    booking_id: Type.String(),
    status: Type.Enum([...BOOKING_STATES]),
    preview: Type.Boolean(),
    penalty: Type.Number(),
    refund: Type.Number(),
    currency: Type.String(),
    cancel_policy: CancelPolicySchema,
  }),
})

export const BookingList = {
  ...listEnvelope(BookingSchema),
  description: 'Newest first.',
  examples: [{ data: [bookingExample], meta }],
}
