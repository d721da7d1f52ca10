import { Type } from 'typebox'
import { dataEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Count, Currency, Day, Moment } from '../../http/schemas/scalars.ts'

const Rate = Type.Number({ description: 'Amount per euro.' })

const PendingRates = Type.Object(
  {
    date: Day,
    read_at: Moment,
    jumps: Type.Array(Type.Object({ currency: Currency, before: Rate, after: Rate }, { title: 'RateJump' }), {
      description: 'Changes of more than 20 %.',
    }),
  },
  { title: 'PendingExchangeRates' },
)

export const ExchangeRatesSchema = Type.Object(
  {
    source: Type.String({ description: 'Host and path of the source, or the source of the file in the release.' }),
    date: { ...Day, description: 'The day of the rates in use.' },
    age_seconds: { ...Count, description: 'Time since the end of that day, without weekends.' },
    is_fallback: Type.Boolean({ description: 'True if the file of the release is used.' }),
    read_at: nullable(Moment, 'When the source last returned these rates.'),
    next_at: nullable(Moment, 'When it is read next; null without a source.'),
    failure: nullable(Type.String(), 'Why the last reading failed.'),
    rates: Type.Record(Type.String(), Rate),
    from_file: Type.Array(Currency, {
      description: 'Currencies that the source lacks: their rate to the dollar is of the file in the release.',
    }),
    file_date: Day,
    pending: nullable(PendingRates, 'New rates that are used once an operator confirms them.'),
  },
  { title: 'ExchangeRates' },
)
export const ExchangeRatesResponse = dataEnvelope('ExchangeRatesAnswer', ExchangeRatesSchema)
