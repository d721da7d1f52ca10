import { Type } from 'typebox'
import { PAYMENT_STATUSES } from '../../domain/payment/public-status.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Amount, Currency } from '../../http/schemas/scalars.ts'

export const PaymentStatusSchema = Type.Enum([...PAYMENT_STATUSES], {
  title: 'PaymentStatus',
  description:
    '`held` and `capturing`: reserved on the card, not charged. `voiding` and `voided`: released, nothing was charged.',
})

export const PaymentCardSchema = Type.Object({ brand: Type.String(), last4: Type.String() }, { title: 'PaymentCard' })

export const PaymentQuoteSchema = Type.Object(
  {
    required: Type.Boolean(),
    provider: Type.String(),
    amount: Amount,
    currency: Currency,
    charged: Type.String({ description: 'When the card is charged, in English.' }),
    create: nullable(
      Type.String(),
      'Where to create the payment. Null if the provider cannot charge this amount, so the room cannot be booked.',
    ),
  },
  { title: 'PaymentQuote', description: 'Only for accounts that pay by card. The property collects the rest.' },
)

export const PaymentFigures = {
  captured: Amount,
  refunded: Amount,
  refund_pending: { ...Amount, description: 'On its way to the card.' },
}

export const BookedPaymentSchema = Type.Object(
  {
    payment_id: Type.String(),
    status: Type.Optional(PaymentStatusSchema),
    amount: { ...Amount, description: 'Charged when the booking is confirmed.' },
    captured: Type.Optional(PaymentFigures.captured),
    refunded: Type.Optional(PaymentFigures.refunded),
    refund_pending: Type.Optional(PaymentFigures.refund_pending),
    currency: Currency,
    card: nullable(PaymentCardSchema, 'Null after personal data was erased.'),
  },
  {
    title: 'BookedPayment',
    description:
      'The card payment of the booking; absent on account. The response to a booking has no status, because it is repeated byte for byte.',
  },
)

export const CancelPaymentSchema = Type.Object(
  {
    payment_id: Type.String(),
    status: PaymentStatusSchema,
    captured: Amount,
    refund: Amount,
    currency: Currency,
    to: nullable(PaymentCardSchema),
    note: Type.String(),
  },
  { title: 'CancelPayment', description: 'The money that goes back to the card; absent on account.' },
)
