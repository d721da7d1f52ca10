import { type Static, Type } from 'typebox'
import { dataOf } from '../../http/schemas/answer.ts'
import { Amount, Count, Currency } from '../../http/schemas/scalars.ts'
import { Month } from '../../selling/schemas.ts'
import { STATEMENT_DAYS } from '../store/statement-bookings.ts'

export type StatementQuery = Static<typeof StatementQuery>
export const StatementQuery = Type.Object({
  by: Type.Optional(
    Type.Enum([...STATEMENT_DAYS], {
      description: 'The day that decides the month; the day of the booking when absent.',
    }),
  ),
  from: Month,
  to: Type.Optional({ ...Month, description: 'The last month; `from` when absent.' }),
  account: Type.Optional(Type.String({ maxLength: 100, description: 'Only bookings of the account with this id.' })),
})

export const StatementLineSchema = Type.Object(
  {
    month: Month,
    vendor_id: Type.String(),
    currency: { ...Currency, description: 'Of the sale; all amounts but the last two are in it.' },
    bookings: { ...Count, description: 'Bookings that stand.' },
    cancelled: Count,
    open: { ...Count, description: 'Bookings whose outcome is not certain; they are in none of the sums.' },
    partly_cancelled: {
      ...Count,
      description:
        'Bookings of which some rooms are cancelled and others stand. What those cost is settled by hand: they are in none of the sums.',
    },
    sold: Amount,
    due_at_property: { ...Amount, description: 'The part of `sold` that properties collect themselves.' },
    net: { ...Amount, description: 'What the vendor asks for the same bookings, at the rates of their days.' },
    penalties: { ...Amount, description: 'What clients pay for cancellations.' },
    margin: Type.Number({
      description: '`sold` less `net`, and `penalties` less what the vendor charges for cancellations.',
    }),
    net_currency: { ...Currency, description: 'In which the vendor is paid.' },
    vendor_penalties: { ...Amount, description: 'What the vendor charges for cancellations, in `net_currency`.' },
    payable: {
      ...Amount,
      description:
        'What is to be paid to the vendor, in `net_currency`: net without what properties collect, and its penalties.',
    },
  },
  { title: 'StatementLine' },
)

export const StatementResponse = dataOf('StatementAnswer', Type.Array(StatementLineSchema))
