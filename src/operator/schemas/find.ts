import { Type } from 'typebox'
import { BookingStatusSchema } from '../../booking/schemas/bookings.ts'
import { ROLES } from '../../domain/access.ts'
import { dataEnvelope } from '../../http/schemas/answer.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { TextOrNull } from '../../http/schemas/scalars.ts'
import { LookedSchema } from './bookings.ts'
import { RequestEntrySchema } from './requests.ts'

export const FindQuery = Type.Object({
  q: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A reference, the name or e-mail of a guest or account, or the id of a booking, account or request.',
  }),
})

const FoundBookingSchema = Type.Object(
  {
    booking_id: Type.String(),
    reference: Type.String(),
    vendor_reference: TextOrNull,
    status: BookingStatusSchema,
    simulated: Type.Boolean(),
    property_name: Type.String(),
    check_in: Type.String({ format: 'date' }),
    lead_guest: TextOrNull,
  },
  { title: 'FoundBooking' },
)

const FoundAccountSchema = Type.Object(
  { id: Type.String(), email: Type.String(), name: Type.String(), role: Type.Enum([...ROLES]) },
  { title: 'FoundAccount' },
)

export const FindResponse = dataEnvelope(
  'FindAnswer',
  Type.Object(
    {
      bookings: Type.Array(FoundBookingSchema, { description: 'Newest first, at most 10.' }),
      accounts: Type.Array(FoundAccountSchema, { description: 'Newest first, at most 10.' }),
      requests: Type.Array(RequestEntrySchema, { description: 'Requests with this id, newest first, at most 10.' }),
      looked_at: nullable(LookedSchema, 'Null if a booking was found by our reference or its id.'),
    },
    { title: 'Found' },
  ),
)
