import { type Static, Type } from 'typebox'
import { BookHeaders, BookRequest } from '../booking/schemas/bookings.ts'
import { PaymentCardSchema, PaymentFigures, PaymentStatusSchema } from '../booking/schemas/payment.ts'
import { dataEnvelope } from '../http/schemas/answer.ts'
import { nullable } from '../http/schemas/or-null.ts'
import { Amount, Currency, Moment } from '../http/schemas/scalars.ts'
import { RoomSchema } from '../search/schemas/property-detail.ts'

const { accept_price_up_to, terms_digest } = BookRequest.properties

export type PaymentBody = Static<typeof PaymentRequest>
export const PaymentRequest = Type.Object(
  {
    terms_digest,
    accept_price_up_to,
  },
  {
    title: 'PaymentRequest',
    additionalProperties: true,
    description: 'All fields of the room’s `booking_info` as received, plus these optional fields.',
    'x-errors': { type: { message: 'The body must be an object with the fields of a room’s booking_info.' } },
  },
)

export const PaymentHeaders = BookHeaders

const NextSchema = Type.Object(
  {
    kind: Type.Enum(['confirm_in_browser']),
    publishable_key: Type.String(),
    client_secret: Type.String({ description: 'For the guest’s browser only. Never store or log it.' }),
  },
  { title: 'PaymentNextStep' },
)

const FailureSchema = Type.Object({ code: Type.String(), message: Type.String() }, { title: 'PaymentFailure' })

export const PaymentFields = {
  payment_id: Type.String(),
  provider: Type.String(),
  status: PaymentStatusSchema,
  amount: Amount,
  currency: Currency,
  authorised: Amount,
  ...PaymentFigures,
  booking_id: nullable(Type.String()),
  card: nullable(PaymentCardSchema),
  failure: nullable(FailureSchema, 'Why the last card was refused, as it may be shown to the guest.'),
  capture_before: nullable(Moment, 'When the authorisation ends.'),
  expires_at: { ...Moment, description: 'Unless a booking claims it, the payment is released then.' },
  created_at: Moment,
  updated_at: Moment,
  simulated: Type.Boolean(),
}

export const PaymentSchema = Type.Object(
  { ...PaymentFields, next: nullable(NextSchema, 'The guest’s next step; null if there is none.') },
  { title: 'Payment' },
)

export const CreatedPaymentSchema = Type.Object(
  {
    ...PaymentSchema.properties,
    room: Type.Optional(
      nullable(RoomSchema, 'The checked room, with the `booking_info` to book; absent in a repeated response.'),
    ),
    terms_digest: Type.String({ description: 'Send it with the booking, so that no other terms are booked.' }),
  },
  { title: 'CreatedPayment' },
)

export const PaymentResponse = dataEnvelope('PaymentAnswer', PaymentSchema)
export const CreatedPaymentResponse = dataEnvelope('CreatedPaymentAnswer', CreatedPaymentSchema)

/** Of a payment in a problem document; other members depend on the problem. */
export const PAYMENT_PROBLEM_MEMBERS = {
  payment: Type.Optional(
    Type.Object(
      {
        payment_id: Type.Optional(Type.String()),
        status: Type.Optional(PaymentStatusSchema),
        provider: Type.Optional(Type.String()),
        amount: Type.Optional(Amount),
        authorised: Type.Optional(Amount),
        needed: Type.Optional({ ...Amount, description: 'Amount that is due now.' }),
        currency: Currency,
        create: Type.Optional(Type.String({ description: 'Where to create a payment.' })),
      },
      {
        title: 'ProblemPayment',
        additionalProperties: true,
        description: 'The payment of the order: the one that is needed, or the one that is held.',
      },
    ),
  ),
  payment_id: Type.Optional(Type.String({ description: 'The payment that cannot pay for the order.' })),
}

export const NotificationAnswer = dataEnvelope(
  'PaymentNotificationAnswer',
  Type.Object({ known: Type.Boolean({ description: 'The payment is ours.' }) }, { title: 'PaymentNotification' }),
)
