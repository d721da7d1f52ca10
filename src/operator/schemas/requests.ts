import { Type } from 'typebox'
import { dataEnvelope, listEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Count, Moment, TextOrNull } from '../../http/schemas/scalars.ts'
import { VendorCallSchema } from './bookings.ts'

export const RequestEntrySchema = Type.Object(
  {
    id: Type.String(),
    request_id: Type.String({ description: 'Same as the response header `x-request-id`.' }),
    at: { ...Moment, description: 'When it was answered.' },
    operation: Type.String({ description: '`unmatched` for an unknown path.' }),
    method: Type.String(),
    path: Type.String({ description: 'Path template with parameter names; `no such path` for an unknown path.' }),
    status: Type.Integer(),
    code: nullable(Type.String(), 'Code of the problem in the response.'),
    took_ms: Count,
    account_id: TextOrNull,
    key_id: TextOrNull,
    simulated: Type.Boolean({ description: 'True for a simulation or a test key.' }),
    search_id: TextOrNull,
    booking_id: TextOrNull,
  },
  { title: 'RequestEntry' },
)
export const RequestList = listEnvelope('RequestList', RequestEntrySchema)

export const RequestResponse = dataEnvelope(
  'RequestAnswer',
  Type.Object(
    {
      request_id: Type.String(),
      requests: Type.Array(RequestEntrySchema, {
        description:
          'Newest first, at most 100. A client may reuse an id, and one agent call may make several requests.',
      }),
      vendor_calls: Type.Array(VendorCallSchema, {
        description:
          'All calls of bookings and price checks, and failed calls of other kinds. Bodies are shown to accounts that may see net prices.',
      }),
    },
    { title: 'RequestTrace' },
  ),
)
