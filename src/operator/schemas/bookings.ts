import { type Static, Type } from 'typebox'
import { Reason } from '../../accounts/schemas/audit.ts'
import { ReadingSchema } from '../../booking/schemas/after-booking.ts'
import { BookingEventSchema, BookingSchema, BookingStatusSchema, freeText } from '../../booking/schemas/bookings.ts'
import { ROLES } from '../../domain/access.ts'
import { ROOM_STATES } from '../../domain/booking/booking.ts'
import { dataEnvelope, ListMetaSchema } from '../../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../../http/schemas/or-null.ts'
import { Count, Moment, TextOrNull } from '../../http/schemas/scalars.ts'
import { DeliverySchema } from '../../webhooks/schemas.ts'
import { RESOLUTIONS } from '../resolve-review.ts'

export const OperatorBookingSchema = Type.Object(
  { ...BookingSchema.properties, account_id: Type.String({ description: 'Id of the account or of a guest.' }) },
  { title: 'OperatorBooking' },
)

export const LookedSchema = Type.Object(
  {
    bookings: Count,
    back_to: nullable(Moment, 'Creation time of the oldest one.'),
    all: Type.Boolean({ description: 'True if all bookings were searched.' }),
  },
  { title: 'LookedAt', description: 'Bookings that a search with `q` has covered, newest first.' },
)

export const OperatorBookingList = Type.Object(
  { data: Type.Array(OperatorBookingSchema), meta: ListMetaSchema, looked_at: Type.Optional(LookedSchema) },
  { title: 'OperatorBookingList' },
)

export const OperatorBookingQuery = Type.Object({
  q: optionalOrNull(
    Type.String({
      maxLength: 100,
      'x-errors': { '*': { code: 'wrong_length', message: 'q must have at most 100 characters.' } },
    }),
    'Any reference (ours, the vendor’s, the client’s), a number of the property, the name or e-mail of a guest, the name of the property, or a date such as `2027-03-05`. All words must match.',
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
    class: Type.String({ description: '`price_check`, `book` or `manage`; others are kept only if they failed.' }),
    operation: Type.String(),
    request_id: Type.String({ description: 'Id of the request or the job that made the call.' }),
    booking_id: TextOrNull,
    method: Type.String(),
    path: Type.String(),
    status: nullable(Type.Integer(), 'Null if the vendor did not answer.'),
    fault: nullable(Type.String(), 'Reason why there was no answer.'),
    took_ms: Count,
    request: nullable(
      Type.String(),
      'Body that was sent, without personal data and secrets, at most 16 kB. Null for operators who may not see net prices.',
    ),
    response: nullable(Type.String(), 'Body of the answer, with the same restrictions.'),
  },
  { title: 'VendorCall', description: 'A call to a vendor, kept for 30 days.' },
)

const MailSchema = Type.Object(
  {
    sequence: Type.Integer({ description: 'Sequence of the event; negative for a mail to the operator.' }),
    kind: Type.String(),
    created_at: Moment,
    next_attempt_at: nullable(Moment),
    attempts: Count,
    outcome: Type.String({
      description:
        '`waiting`, `sent`, `failed` (given up), `superseded` by a later one, `kept` (not sent) or `erased`.',
    }),
    error: nullable(Type.String(), 'Code of the last failure.'),
  },
  { title: 'BookingMail' },
)

export const BookingFileResponse = dataEnvelope(
  'BookingFileAnswer',
  Type.Object(
    {
      booking: OperatorBookingSchema,
      account: nullable(AccountSchema, 'Null for a guest.'),
      events: Type.Array(BookingEventSchema),
      readings: Type.Array(ReadingSchema),
      vendor_calls: Type.Array(VendorCallSchema),
      deliveries: Type.Array(DeliverySchema, { description: 'Webhook deliveries, newest first.' }),
      mails: Type.Array(MailSchema),
    },
    { title: 'BookingFile' },
  ),
)

export const AskedResponse = dataEnvelope(
  'VendorAskedAnswer',
  Type.Object(
    {
      asked: Type.Boolean({ description: 'False if the vendor could not be asked now; the service will ask later.' }),
      status_before: BookingStatusSchema,
      booking: OperatorBookingSchema,
    },
    { title: 'VendorAsked' },
  ),
)

export const OperatorBookingResponse = dataEnvelope('OperatorBookingAnswer', OperatorBookingSchema)

export type ResolveBody = Static<typeof ResolveRequest>
export const ResolveRequest = Type.Object(
  {
    status: Type.Enum([...RESOLUTIONS], {
      description: 'Final status of the booking.',
      'x-errors': { '*': { code: 'wrong_value', message: `status must be ${RESOLUTIONS.join(', ')}.` } },
    }),
    reason: { ...Reason, description: 'The customer sees it in the history.' },
    vendor_reference: optionalOrNull(freeText(100), 'Required to confirm if none is known yet.'),
    rooms: optionalOrNull(
      Type.Array(Type.Enum([...ROOM_STATES]), {
        maxItems: 8,
        'x-errors': { '*': { code: 'wrong_value', message: `rooms must be a list of ${ROOM_STATES.join(' and ')}.` } },
      }),
      'Status of each room, if they differ.',
    ),
  },
  { title: 'ResolveRequest' },
)

export type OperatorCancelBody = Static<typeof OperatorCancelRequest>
export const OperatorCancelRequest = Type.Object(
  { reason: optionalOrNull(freeText(500), 'Required unless it is a preview.') },
  { title: 'OperatorCancelRequest' },
)

/** Limit of the database column. */
const SEQUENCE_MAX = 2 ** 31 - 1

export type MailBody = Static<typeof MailRequest>
export const MailRequest = Type.Object(
  {
    sequence: optionalOrNull(
      Type.Integer({
        minimum: -SEQUENCE_MAX,
        maximum: SEQUENCE_MAX,
        'x-errors': { '*': { code: 'wrong_type', message: 'sequence must be the sequence of a mail.' } },
      }),
      'Sequence of a failed mail to resend. If absent, the current status is mailed to the guest.',
    ),
  },
  { title: 'MailRequest' },
)

export const QueuedResponse = dataEnvelope(
  'QueuedAnswer',
  Type.Object({ queued: Count }, { title: 'Queued', description: 'Number of queued messages.' }),
)
