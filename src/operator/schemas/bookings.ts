import { type Static, Type } from 'typebox'
import { Reason } from '../../accounts/schemas/audit.ts'
import { ReadingSchema } from '../../booking/schemas/after-booking.ts'
import { BookingEventSchema, BookingSchema, BookingStatusSchema, freeText } from '../../booking/schemas/bookings.ts'
import { ROLES } from '../../domain/access.ts'
import { ROOM_STATES } from '../../domain/booking/booking.ts'
import { dataOf, ListMeta } from '../../http/schemas/answer.ts'
import { nullable, orNull } from '../../http/schemas/or-null.ts'
import { Count, Moment, TextOrNull } from '../../http/schemas/scalars.ts'
import { DeliverySchema } from '../../webhooks/schemas.ts'
import { RESOLUTIONS } from '../resolve-review.ts'

export const OperatorBookingSchema = Type.Object(
  {
    ...BookingSchema.properties,
    account_id: Type.String({ description: 'Of the account, or of a guest of the page.' }),
  },
  { title: 'OperatorBooking' },
)

const LookedSchema = Type.Object(
  {
    bookings: Count,
    back_to: nullable(Moment, 'When the oldest of them was made.'),
    all: Type.Boolean({ description: 'Whether these are all bookings there are.' }),
  },
  { title: 'LookedAt', description: 'How many bookings a search with `q` has looked at, from the newest back.' },
)

export const OperatorBookingList = Type.Object(
  { data: Type.Array(OperatorBookingSchema), meta: ListMeta, looked_at: Type.Optional(LookedSchema) },
  { title: 'OperatorBookingList' },
)

export const OperatorBookingQuery = Type.Object({
  q: orNull(
    Type.String({
      maxLength: 100,
      'x-errors': { '*': { code: 'wrong_length', message: 'q must be a text of at most 100 characters.' } },
    }),
    'Any reference (ours, the vendor’s, the client’s), a number of the property, the name or e-mail of a guest, the name of the property, or a date as `2027-03-05`. Of several words all must be found.',
  ),
})

const AccountSchema = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum([...ROLES]),
    disabled: Type.Boolean(),
  },
  { title: 'BookingAccount' },
)

export const VendorCallSchema = Type.Object(
  {
    id: Type.String({ pattern: '^vcl_' }),
    at: Moment,
    vendor_id: Type.String(),
    class: Type.String({ description: '`price_check`, `book` or `manage`; others are kept only where they failed.' }),
    operation: Type.String(),
    request_id: Type.String({ description: 'Of our request, or of the job that made the call.' }),
    booking_id: TextOrNull,
    method: Type.String(),
    path: Type.String(),
    status: nullable(Type.Integer(), 'What the vendor answered; null where it did not.'),
    fault: nullable(Type.String(), 'Why there was no answer.'),
    took_ms: Count,
    request: nullable(
      Type.String(),
      'What was sent, without persons and secrets, at most 16 kB. Only for operators who may see net prices; null for others.',
    ),
    response: nullable(Type.String(), 'What came back; the same holds for it.'),
  },
  { title: 'VendorCall', description: 'A call to a vendor, kept for 30 days.' },
)

const MailSchema = Type.Object(
  {
    sequence: Type.Integer({ description: 'Of the event that it tells of; negative for a mail to the operator.' }),
    kind: Type.String(),
    created_at: Moment,
    next_attempt_at: nullable(Moment),
    attempts: Count,
    outcome: Type.String({
      description:
        '`waiting`, `sent`, `failed` (given up), `superseded` by a later one, `kept` (not sent) or `erased`.',
    }),
    error: nullable(Type.String(), 'A code of the last failure.'),
  },
  { title: 'BookingMail' },
)

export const BookingFileResponse = dataOf(
  'BookingFileAnswer',
  Type.Object(
    {
      booking: OperatorBookingSchema,
      account: nullable(AccountSchema, 'Null for a guest of the page.'),
      events: Type.Array(BookingEventSchema),
      readings: Type.Array(ReadingSchema),
      vendor_calls: Type.Array(VendorCallSchema),
      deliveries: Type.Array(DeliverySchema, { description: 'What was sent to webhooks, the newest first.' }),
      mails: Type.Array(MailSchema),
    },
    { title: 'BookingFile' },
  ),
)

export const AskedResponse = dataOf(
  'VendorAskedAnswer',
  Type.Object(
    {
      asked: Type.Boolean({ description: 'False where the vendor could not be asked now; the service will ask.' }),
      status_before: BookingStatusSchema,
      booking: OperatorBookingSchema,
    },
    { title: 'VendorAsked' },
  ),
)

export const OperatorBookingResponse = dataOf('OperatorBookingAnswer', OperatorBookingSchema)

export type ResolveBody = Static<typeof ResolveRequest>
export const ResolveRequest = Type.Object(
  {
    status: Type.Enum([...RESOLUTIONS], {
      description: 'How the booking ends.',
      'x-errors': { '*': { code: 'wrong_value', message: `status must be ${RESOLUTIONS.join(', ')}.` } },
    }),
    reason: { ...Reason, description: 'The customer sees it in the history.' },
    vendor_reference: orNull(freeText(100), 'Needed to confirm where none is known yet.'),
    rooms: orNull(
      Type.Array(Type.Enum([...ROOM_STATES]), {
        maxItems: 8,
        'x-errors': { '*': { code: 'wrong_value', message: `rooms must be a list of ${ROOM_STATES.join(' and ')}.` } },
      }),
      'How each room ends, where they do not all end alike.',
    ),
  },
  { title: 'ResolveRequest' },
)

export type OperatorCancelBody = Static<typeof OperatorCancelRequest>
export const OperatorCancelRequest = Type.Object(
  { reason: orNull(freeText(500), 'Why; needed unless it is a preview.') },
  { title: 'OperatorCancelRequest' },
)

/** What the store can hold. */
const SEQUENCE_MAX = 2 ** 31 - 1

export type MailBody = Static<typeof MailRequest>
export const MailRequest = Type.Object(
  {
    sequence: orNull(
      Type.Integer({
        minimum: -SEQUENCE_MAX,
        maximum: SEQUENCE_MAX,
        'x-errors': { '*': { code: 'wrong_type', message: 'sequence must be that of a mail.' } },
      }),
      'Of a mail that was given up, to be tried once more. Without it the guest is written how the booking stands now.',
    ),
  },
  { title: 'MailRequest' },
)

export const QueuedResponse = dataOf(
  'QueuedAnswer',
  Type.Object({ queued: Count }, { title: 'Queued', description: 'How many are on their way now.' }),
)
