import { Type } from 'typebox'
import { BudgetSchema } from '../../accounts/schemas/api-keys.ts'
import { BookingSchema } from '../../booking/schemas/bookings.ts'
import { ChangeSchema } from '../../booking/schemas/price-check.ts'
import { ERROR_CODES } from '../../domain/errors.ts'
import { LocationTypeSchema } from '../../locations/schemas.ts'
import { RoomSchema } from '../../search/schemas/property-detail.ts'
import { AccommodationSummary, VendorReportSchema } from '../../search/schemas/search.ts'
import { FieldErrorSchema } from './answer.ts'
import { nullable } from './or-null.ts'
import { Amount, Currency, Uuid } from './scalars.ts'

const ErrorCodeSchema = Type.Enum([...ERROR_CODES], { title: 'ErrorCode', description: 'See /docs/errors.' })

const LocationChoice = Type.Object(
  { id: Uuid, name: Type.String(), type: LocationTypeSchema },
  { title: 'LocationChoice' },
)

/** Every member beside the first six comes with the codes that its description names. */
export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri-reference' }),
    title: Type.String(),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String(),
    instance: Type.String({ description: 'The request id, as in `x-request-id`.' }),
    code: ErrorCodeSchema,
    errors: Type.Optional(
      Type.Array(FieldErrorSchema, { description: 'With `invalid_request`: every field that is wrong.' }),
    ),
    room: Type.Optional(
      nullable(
        RoomSchema,
        'With `price_changed` and `terms_changed`: the same room as it is now, with a new `booking_info`. Null where it cannot be shown in the currency.',
      ),
    ),
    old_total: Type.Optional({ ...Amount, description: 'With `price_changed`: what was shown.' }),
    new_total: Type.Optional({ ...Amount, description: 'With `price_changed`: what the vendor asks now.' }),
    currency: Type.Optional({ ...Currency, description: 'Of `old_total` and `new_total`.' }),
    changes: Type.Optional(
      Type.Array(ChangeSchema, {
        description: 'With `price_changed` and `terms_changed`: what differs from what was shown.',
      }),
    ),
    alternatives: Type.Optional(
      Type.Array(AccommodationSummary, { description: 'With `sold_out`: other properties of the search.' }),
    ),
    booking_id: Type.Optional(
      Type.String({
        description: 'With `booking_rejected`, `sold_out` and `idempotency_mismatch`: the booking it is about.',
      }),
    ),
    booking: Type.Optional(BookingSchema),
    vendors: Type.Optional(
      Type.Array(VendorReportSchema, {
        description: 'With `vendors_failed` and `vendor_timeout`: how each vendor failed.',
      }),
    ),
    budget: Type.Optional(BudgetSchema),
    choose_instead: Type.Optional(
      Type.Array(LocationChoice, { description: 'With `location_too_large`: smaller places inside it.' }),
    ),
  },
  { $id: 'Problem', description: 'RFC 9457 problem details.', additionalProperties: true },
)
