import { Type } from 'typebox'
import { dataOf, listOf } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Count, Moment, TextOrNull } from '../../http/schemas/scalars.ts'
import { VendorCallSchema } from './bookings.ts'

export const RequestEntrySchema = Type.Object(
  {
    id: Type.String(),
    request_id: Type.String({ description: 'As in the header `x-request-id` of its answer.' }),
    at: { ...Moment, description: 'When it was answered.' },
    operation: Type.String({ description: '`unmatched` where the path leads to nothing.' }),
    method: Type.String(),
    path: Type.String({
      description: 'As in this document, with the names of its parameters; `no such path` where it leads to nothing.',
    }),
    status: Type.Integer(),
    code: nullable(Type.String(), 'The code of the problem that was answered.'),
    took_ms: Count,
    account_id: TextOrNull,
    key_id: TextOrNull,
    simulated: Type.Boolean({ description: 'It asked for a simulation, or came with a test key.' }),
    search_id: TextOrNull,
    booking_id: TextOrNull,
  },
  { title: 'RequestEntry' },
)
export const RequestList = listOf('RequestList', RequestEntrySchema)

export const RequestResponse = dataOf(
  'RequestAnswer',
  Type.Object(
    {
      request_id: Type.String(),
      requests: Type.Array(RequestEntrySchema, {
        description:
          'Newest first, at most 100: clients may use an id more than once, and a call of an agent may consist of several.',
      }),
      vendor_calls: Type.Array(VendorCallSchema, {
        description:
          'Of bookings and price checks all, of the rest those that failed. Bodies are for accounts that may see net prices.',
      }),
    },
    { title: 'RequestTrace' },
  ),
)
