import { type Static, Type } from 'typebox'
import { dataEnvelope } from '../../http/schemas/answer.ts'
import { Amount, Count, Currency } from '../../http/schemas/scalars.ts'
import { Month } from '../../selling/schemas.ts'
import { STATEMENT_DAYS } from '../store/statement-bookings.ts'

export type StatementQuery = Static<typeof StatementQuery>
export const StatementQuery = Type.Object({
  by: Type.Optional(
    Type.Enum([...STATEMENT_DAYS], {
      description: 'Date that determines the month; defaults to the date of the booking.',
    }),
  ),
  from: Month,
  to: Type.Optional({ ...Month, description: 'Last month; defaults to `from`.' }),
  account: Type.Optional(Type.String({ maxLength: 100, description: 'Only bookings of the account with this id.' })),
})

export const StatementLineSchema = Type.Object(
  {
    month: Month,
    vendor_id: Type.String(),
    currency: { ...Currency, description: 'Selling currency, used for all amounts except the vendor’s two.' },
    bookings: { ...Count, description: 'Bookings that are not cancelled.' },
    cancelled: Count,
    open: { ...Count, description: 'Bookings with an unknown outcome; not included in the totals.' },
    partly_cancelled: {
      ...Count,
      description:
        'Bookings with both cancelled and confirmed rooms. Their cost is settled manually; not included in the totals.',
    },
    sold: Amount,
    due_at_property: { ...Amount, description: 'Part of `sold` that the properties collect.' },
    net: { ...Amount, description: 'Net price of the same bookings, at the exchange rates of their dates.' },
    penalties: { ...Amount, description: 'Cancellation fees charged to clients.' },
    margin: Type.Number({ description: '`sold` minus `net`, plus `penalties` minus the vendor’s cancellation fees.' }),
    net_currency: { ...Currency, description: 'Currency in which the vendor is paid.' },
    vendor_penalties: { ...Amount, description: 'Cancellation fees of the vendor, in `net_currency`.' },
    payable: {
      ...Amount,
      description:
        'Amount owed to the vendor in `net_currency`: net without the part that properties collect, plus `vendor_penalties`.',
    },
    collected: { ...Amount, description: 'Charged to cards.' },
    refunded: { ...Amount, description: 'Sent back to cards.' },
    uncollected: { ...Amount, description: 'Due from cards and not charged yet.' },
    disputed: { ...Amount, description: 'Disputed by cardholders.' },
    provider_fees: {
      ...Amount,
      description: 'Fees of the payment provider, if it bills in `currency`. Known some time after the charge.',
    },
    on_account: {
      ...Amount,
      description:
        'Due for bookings without a card payment: sold without the part that properties collect, plus penalties.',
    },
  },
  { title: 'StatementLine' },
)

export const StatementResponse = dataEnvelope('StatementAnswer', Type.Array(StatementLineSchema))
