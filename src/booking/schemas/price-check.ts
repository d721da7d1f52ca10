import { type Static, type TSchema, Type } from 'typebox'
import { dataEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Amount, Currency, LocalMoment } from '../../http/schemas/scalars.ts'
import { BoardSchema } from '../../search/schemas/conditions.ts'
import { NoticeSchema, RoomSchema } from '../../search/schemas/property-detail.ts'
import { PaymentQuoteSchema } from './payment.ts'

export type PriceCheckQuery = Static<typeof PriceCheckQuery>
const missing = { code: 'required', message: 'token is missing. Follow a room’s price_check_uri exactly as received.' }
export const PriceCheckQuery = Type.Object({
  token: Type.String({ minLength: 1, 'x-errors': { required: missing, '*': missing } }),
})

const Money = Type.Object({ amount: Amount, currency: Currency }, { title: 'Money' })
const FeeFrom = Type.Object({ ...Money.properties, from: LocalMoment }, { title: 'FeeFrom' })

const change = <W extends string, T extends TSchema>(title: string, what: readonly W[], value: T) =>
  Type.Object({ what: Type.Enum([...what]), shown: value, now: value }, { title })

export const ChangeSchema = Type.Union([
  change('AmountChange', ['total_price', 'due_now', 'due_at_property'], Money),
  change('CancellationFeeChange', ['cancellation_fee'], FeeFrom),
  change('RefundableChange', ['refundable'], Type.Boolean()),
  change('BoardChange', ['board'], BoardSchema),
  change('CurrencyChange', ['currency'], Currency),
  change('NoticesChange', ['notices'], Type.Array(NoticeSchema)),
])

export const PriceCheckResponse = dataEnvelope(
  'PriceCheckAnswer',
  Type.Object(
    {
      status: Type.Enum(['matched', 'price_changed', 'terms_changed', 'sold_out'], {
        description:
          '`matched`: as shown. `price_changed`: the total differs in your currency. `terms_changed`: other terms are worse than shown, see `changes`.',
      }),
      changes: Type.Array(ChangeSchema),
      room: nullable(RoomSchema, 'The room on its current terms, with a new `booking_info`; null if it is sold out.'),
      payment: Type.Optional(PaymentQuoteSchema),
      terms_digest: nullable(
        Type.String(),
        'A digest of all terms that a customer accepts. Send it beside the `booking_info` of `room`, and no other terms are booked.',
      ),
    },
    { title: 'PriceCheck' },
  ),
)
