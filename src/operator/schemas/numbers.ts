import { Type } from 'typebox'
import { dataEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Count, Moment } from '../../http/schemas/scalars.ts'

const Day = Type.String({ format: 'date' })

const DayNumbersSchema = Type.Object(
  {
    day: { ...Day, description: 'In UTC.' },
    vendor_id: Type.String(),
    bookings: { ...Count, description: 'Real bookings that were made, whatever became of them.' },
    value: Type.Number({ description: 'Selling price of those that are not cancelled.' }),
    margin: nullable(Type.Number(), 'Null for operators who may not see net prices.'),
    searches: { ...Count, description: 'Searches that queried the vendor.' },
    doubts: { ...Count, description: 'Bookings of the day that have been in doubt or under review.' },
    calls: Count,
    errors: { ...Count, description: 'Failed calls.' },
  },
  { title: 'DayNumbers' },
)

export const NumbersResponse = dataEnvelope(
  'NumbersAnswer',
  Type.Object(
    {
      as_of: { ...Moment, description: 'At most five minutes old.' },
      from: { ...Day, description: 'The first day; today is the last one and incomplete.' },
      currency: Type.String({ description: 'Of all amounts, converted at the current exchange rates.' }),
      days: Type.Array(DayNumbersSchema, { description: 'By day and vendor; those without figures are missing.' }),
    },
    { title: 'Numbers' },
  ),
)
