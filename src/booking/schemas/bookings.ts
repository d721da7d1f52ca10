import { type Static, Type } from 'typebox'
import { BOOKING_STATES } from '../../domain/booking/booking.ts'
import { DISCREPANCY_CODES } from '../../domain/booking/discrepancy.ts'
import { IDEMPOTENCY_KEY, KEY_ERROR } from '../../http/middleware/idempotency.ts'
import { ActorOrNull } from '../../http/schemas/actor.ts'
import { dataEnvelope, listEnvelope } from '../../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../../http/schemas/or-null.ts'
import { Amount, Count, Currency, Day, Moment, Point, TextOrNull, TimeZone, Uuid } from '../../http/schemas/scalars.ts'
import { EMAIL } from '../../lib/text/email.ts'
import { BoardSchema } from '../../search/schemas/conditions.ts'
import { BEDS, FeeSchema } from '../../search/schemas/named.ts'
import { CancelPolicySchema, EachRoomSchema, NoticeSchema } from '../../search/schemas/property-detail.ts'
import { Nights, OccupancySchema, PropertyId } from '../../search/schemas/search.ts'
import { BookedPaymentSchema, CancelPaymentSchema } from './payment.ts'

// One long file, because these schemas build on each other.
const name = Type.String({ minLength: 1, maxLength: 60 })
const email = Type.String({ maxLength: 254 })
const phone = Type.String({ maxLength: 25 })

const ContactSchema = Type.Object({ email: Type.Optional(email), phone: Type.Optional(phone) }, { title: 'Contact' })
const GuestSchema = Type.Object(
  { given_name: name, family_name: name, ...ContactSchema.properties },
  { title: 'Guest' },
)

/** Ranges instead of `\\p{Cc}`, which some OpenAPI tools do not support. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f'

/** Zero-width spaces, direction marks and line separators could hide or reorder a name in an arrivals list. */
const INVISIBLE = '\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff'

/** Vendors reject some of these characters in names. */
const NameRequest = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: `^(?=.*\\S)[^<>()&${CONTROL}${INVISIBLE}]*$`,
  'x-errors': {
    minLength: { code: 'required', message: '{field} is missing.' },
    pattern: { message: '{field} must be a name without < > ( ) & and invisible characters, as in the passport.' },
    maxLength: { code: 'wrong_format', message: '{field} must be a name of at most 60 characters.' },
  },
})
/** An empty string means absent. */
const optionalText = (pattern: string, message: string) =>
  optionalOrNull(
    Type.String({
      maxLength: 254,
      pattern: `^$|${pattern}`,
      'x-errors': { '*': { code: 'wrong_format', message: `{field} must be ${message}.` } },
    }),
  )
const ContactRequest = Type.Object(
  {
    email: optionalText(EMAIL.source, 'an e-mail such as name@example.com'),
    phone: optionalText('^\\+?[\\d ().\\/\\-]{5,25}$', 'a phone number such as +33 1 23 45 67 89'),
  },
  { title: 'ContactRequest', 'x-errors': { type: { message: 'contact must be an object with email and phone.' } } },
)
const GuestRequest = Type.Object(
  { given_name: NameRequest, family_name: NameRequest, ...ContactRequest.properties },
  {
    title: 'GuestRequest',
    'x-errors': { type: { message: '{field} must be an object with given_name and family_name.' } },
  },
)
/** Text without control characters, except line breaks and tabs. */
export const freeText = (maxLength: number) =>
  Type.String({
    maxLength,
    pattern: `^(?:[\\n\\r\\t]|[^${CONTROL}])*$`,
    'x-errors': {
      '*': { code: 'wrong_format', message: `{field} must be a text of at most ${maxLength} characters.` },
    },
  })

export const GuestsRequest = Type.Array(GuestRequest, {
  maxItems: 8,
  'x-errors': {
    '*': { code: 'wrong_type', message: 'guests must be a list of at most 8 lead guests, one per room.' },
  },
})
export const WishesRequest = freeText(1000)

export const AcceptedTotal = Type.Number({
  minimum: 0,
  'x-errors': { '*': { code: 'wrong_type', message: 'accept_price_up_to must be a positive number.' } },
})

export type BookBody = Static<typeof BookRequest>
/** Names reserved beside `booking_info`, whose own fields are not validated here: any change invalidates the offer. */
export const BookRequest = Type.Object(
  {
    guests: optionalOrNull(GuestsRequest, 'The lead guest of each room.'),
    contact: optionalOrNull(ContactRequest),
    special_requests: optionalOrNull(WishesRequest),
    accept_price_up_to: optionalOrNull(AcceptedTotal, 'Accept a price increase up to this total.'),
    client_reference: optionalOrNull(freeText(64)),
    terms_digest: optionalOrNull(
      Type.String({
        maxLength: 100,
        'x-errors': {
          '*': { code: 'wrong_type', message: 'terms_digest must be the value that a price check returned.' },
        },
      }),
      'From the price check whose terms were accepted. Other terms are refused with `terms_changed`.',
    ),
    payment_id: optionalOrNull(
      Type.String({
        maxLength: 100,
        'x-errors': { '*': { code: 'wrong_type', message: 'payment_id must be the payment_id of a payment.' } },
      }),
      'The authorised payment for this offer, if the price check requires one.',
    ),
  },
  {
    title: 'BookRequest',
    additionalProperties: true,
    description: 'All fields of the room’s `booking_info` as received, plus these optional fields.',
    'x-errors': { type: { message: 'The body must be an object with the fields of a room’s booking_info.' } },
  },
)

export const BookHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      ...IDEMPOTENCY_KEY,
      description: '1 to 255 characters, optionally in quotes. Scoped to the account and kept as long as the booking.',
      'x-errors': { '*': KEY_ERROR },
    }),
  ),
})

export const BookingStatusSchema = Type.Enum([...BOOKING_STATES], { title: 'BookingStatus' })

export const BookingEventSchema = Type.Object(
  {
    sequence: Type.Integer({ minimum: 1 }),
    type: Type.String({ pattern: '^booking\\.' }),
    from: nullable(BookingStatusSchema),
    to: BookingStatusSchema,
    at: Moment,
    reason: TextOrNull,
    actor: ActorOrNull,
    request_id: nullable(Type.String(), 'The `x-request-id` of the request that caused it; null if none did.'),
  },
  { title: 'BookingEvent' },
)

export const DiscrepancySchema = Type.Object(
  {
    code: Type.Enum([...DISCREPANCY_CODES]),
    since: Moment,
    until: nullable(Moment, 'When the vendor’s value changed or agreed again; null while the discrepancy is open.'),
    booked: Type.Unknown({
      description: 'The agreed value: an amount, dates, a property, a number of rooms, a term or a status.',
    }),
    vendor_says: Type.Unknown({ description: 'The vendor’s value.' }),
  },
  {
    title: 'Discrepancy',
    description: 'A difference between the booking and the vendor’s version. It never changes the booking silently.',
  },
)

const BookedProperty = Type.Object(
  {
    property_id: PropertyId,
    vendors_property_id: Type.String(),
    name: Type.String(),
    address: Type.String(),
    location: Point,
    phone: Type.String(),
    image: Type.String(),
    timezone: TimeZone,
    check_in_time: Type.String(),
    check_out_time: Type.String(),
  },
  {
    title: 'BookedProperty',
    description:
      'The property at the time of booking. Some properties disclose address, phone and exact position only after confirmation.',
  },
)

const BookedRoom = Type.Object(
  {
    room_id: Type.String(),
    name: Type.String({ description: 'The vendor’s name for the room.' }),
    room_type_name: Type.String({ description: 'Our name for the room; the vendor’s in older bookings.' }),
    ...BEDS,
    board: BoardSchema,
    each_room: Type.Optional(EachRoomSchema),
  },
  { title: 'BookedRoom' },
)

const CancellationSchema = Type.Object(
  {
    penalty: Amount,
    refund: Amount,
    currency: Currency,
    vendor_reference: nullable(Type.String(), 'The vendor’s number of the cancellation; null if it has none.'),
  },
  { title: 'Cancellation', description: 'The cost of the cancellation.' },
)

const RoomStatusSchema = Type.Object(
  { number: Type.Integer({ minimum: 1 }), status: BookingStatusSchema },
  { title: 'RoomStatus' },
)

export const ConfirmationNumbersSchema = Type.Object(
  { vendor: TextOrNull, property: TextOrNull },
  { title: 'ConfirmationNumbers' },
)

export const ConfirmationSchema = Type.Object(
  { ...ConfirmationNumbersSchema.properties, rooms: Type.Array(ConfirmationNumbersSchema) },
  {
    title: 'Confirmation',
    description:
      'The vendor’s and the property’s confirmation numbers, also per room if reported. Null until known: the property’s often arrives days later, with the event `booking.confirmation_number`.',
  },
)

export const BookedNetSchema = Type.Object(
  {
    total: Amount,
    currency: Currency,
    in_sold_currency: {
      ...Amount,
      description: 'The same in the currency of `total_price`, at the rate of the day of booking.',
    },
    cancellation_fee: nullable(Amount),
    rules_version: nullable(Count),
    rule_priority: nullable(Type.Integer(), 'Null if no rule matched.'),
  },
  {
    title: 'BookedNet',
    description: 'The vendor’s charge. Only for accounts that may see net prices, and only when bookings are read.',
  },
)

export const BookingSchema = Type.Object(
  {
    booking_id: Type.String(),
    status: BookingStatusSchema,
    vendor_id: Type.String(),
    vendor_reference: nullable(Type.String(), 'The vendor’s confirmation number.'),
    reference: Type.String({ description: 'The booking reference: our number, as sent to the vendor.' }),
    client_reference: TextOrNull,
    property: BookedProperty,
    room: BookedRoom,
    check_in: Day,
    check_out: Day,
    nights: Nights,
    occupancies: Type.Array(OccupancySchema),
    guests: Type.Array(GuestSchema),
    contact: ContactSchema,
    special_requests: Type.String(),
    total_price: Amount,
    currency: Currency,
    base_price: Amount,
    taxes_fees: Amount,
    due_at_property: Amount,
    fees: Type.Array(FeeSchema),
    cancel_policy: CancelPolicySchema,
    cancellation: nullable(CancellationSchema),
    notices: Type.Array(NoticeSchema),
    rooms: Type.Array(RoomStatusSchema, {
      description: 'The status of each room. It differs from the booking’s if the vendor cancelled only some rooms.',
    }),
    confirmation: ConfirmationSchema,
    discrepancies: Type.Array(DiscrepancySchema),
    payment: Type.Optional(BookedPaymentSchema),
    created_at: Moment,
    updated_at: Moment,
    simulated: Type.Boolean(),
    search_id: Uuid,
    persons_erased_at: Type.Optional({
      ...Moment,
      description: 'When guests, contact and special requests were erased; absent until then.',
    }),
    net: Type.Optional(BookedNetSchema),
    events: Type.Optional(Type.Array(BookingEventSchema)),
  },
  { title: 'Booking' },
)

export const BookingResponse = dataEnvelope('BookingAnswer', BookingSchema)

export const CancelResponse = dataEnvelope(
  'CancelAnswer',
  Type.Object(
    {
      booking_id: Type.String(),
      status: BookingStatusSchema,
      preview: Type.Boolean(),
      property: Type.Object({ property_id: PropertyId, name: Type.String() }, { title: 'CancelledProperty' }),
      check_in: Day,
      check_out: Day,
      penalty: Amount,
      refund: Amount,
      currency: Currency,
      payment: Type.Optional(CancelPaymentSchema),
      cancel_policy: CancelPolicySchema,
    },
    { title: 'CancelOutcome' },
  ),
)

export const BookingList = listEnvelope('BookingList', BookingSchema)
