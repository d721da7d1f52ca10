import { type Static, Type } from 'typebox'
import { Reason } from '../../accounts/schemas/audit.ts'
import { BookingStatusSchema } from '../../booking/schemas/bookings.ts'
import {
  PAYMENT_ENTRY_KINDS,
  PAYMENT_OPERATION_KINDS,
  PAYMENT_OPERATION_STATES,
  PAYMENT_REASONS,
  PAYMENT_STATES,
} from '../../domain/payment/payment.ts'
import { dataEnvelope, listEnvelope } from '../../http/schemas/answer.ts'
import { nullable, optionalOrNull } from '../../http/schemas/or-null.ts'
import { Amount, Moment, TextOrNull } from '../../http/schemas/scalars.ts'
import { PAYMENT_RESOLUTIONS } from '../../payments/decide/resolve.ts'
import { PaymentFields } from '../../payments/schemas.ts'

export const OperatorPaymentSchema = Type.Object(
  {
    ...PaymentFields,
    state: Type.Enum([...PAYMENT_STATES], { title: 'PaymentState' }),
    reason: nullable(Type.Enum([...PAYMENT_REASONS], { title: 'PaymentReason' }), 'Why an operator should look at it.'),
    account_id: Type.String(),
    owed: nullable(Amount, 'Due from the guest; null while the outcome of the booking is unknown.'),
    disputed: Amount,
    provider_reference: TextOrNull,
    livemode: Type.Boolean(),
  },
  { title: 'OperatorPayment' },
)

const OperationSchema = Type.Object(
  {
    number: Type.Integer({ minimum: 1 }),
    kind: Type.Enum([...PAYMENT_OPERATION_KINDS]),
    amount: Amount,
    key: Type.String({ description: 'The provider’s idempotency key.' }),
    sent_at: nullable(Moment),
    state: Type.Enum([...PAYMENT_OPERATION_STATES]),
    reason: TextOrNull,
  },
  { title: 'PaymentOperation' },
)

const EntrySchema = Type.Object(
  {
    kind: Type.Enum([...PAYMENT_ENTRY_KINDS]),
    amount: Type.Number({ description: 'Negative if it goes to the guest.' }),
    at: Moment,
  },
  { title: 'PaymentEntry' },
)

export const PaymentRecordsSchema = Type.Object(
  {
    ...OperatorPaymentSchema.properties,
    booking_status: nullable(BookingStatusSchema),
    operations: Type.Array(OperationSchema),
    entries: Type.Array(EntrySchema),
  },
  { title: 'PaymentRecords' },
)

export const OperatorPaymentList = listEnvelope('OperatorPaymentList', OperatorPaymentSchema)
export const PaymentRecordsResponse = dataEnvelope('PaymentRecordsAnswer', PaymentRecordsSchema)

export type RefundBody = Static<typeof RefundRequest>
export const RefundRequest = Type.Object(
  {
    amount: optionalOrNull(
      Type.Number({
        exclusiveMinimum: 0,
        'x-errors': { '*': { code: 'wrong_type', message: 'amount must be a positive number.' } },
      }),
      'In major units; everything if absent.',
    ),
    reason: Reason,
  },
  { title: 'PaymentRefundRequest' },
)

export type ResolvePaymentBody = Static<typeof ResolvePaymentRequest>
export const ResolvePaymentRequest = Type.Object(
  {
    to: Type.Enum([...PAYMENT_RESOLUTIONS], {
      description:
        '`capturing` and `refunding` try again, `voiding` releases the authorisation. `captured` and `voided` accept the present amounts: the rest was settled with the guest in another way.',
      'x-errors': {
        '*': { code: 'wrong_value', message: `to must be one of ${PAYMENT_RESOLUTIONS.join(', ')}.` },
      },
    }),
    reason: Reason,
  },
  { title: 'ResolvePaymentRequest' },
)
