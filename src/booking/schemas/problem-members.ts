import { Type } from 'typebox'
import { nullable } from '../../http/schemas/or-null.ts'
import { Amount, Currency } from '../../http/schemas/scalars.ts'
import { RoomSchema } from '../../search/schemas/property-detail.ts'
import { AccommodationSummary } from '../../search/schemas/search.ts'
import { BookingSchema } from './bookings.ts'
import { ChangeSchema } from './price-check.ts'

export const BOOKING_PROBLEM_MEMBERS = {
  room: Type.Optional(
    nullable(
      RoomSchema,
      'With `price_changed` and `terms_changed`: the same room on its current terms, with a new `booking_info`. Null if it cannot be shown in the currency.',
    ),
  ),
  old_total: Type.Optional({ ...Amount, description: 'With `price_changed`: the total shown.' }),
  new_total: Type.Optional({ ...Amount, description: 'With `price_changed`: the vendor’s current total.' }),
  currency: Type.Optional({ ...Currency, description: 'Currency of `old_total` and `new_total`.' }),
  changes: Type.Optional(
    Type.Array(ChangeSchema, {
      description: 'With `price_changed` and `terms_changed`: differences from what was shown.',
    }),
  ),
  alternatives: Type.Optional(
    Type.Array(AccommodationSummary, { description: 'With `sold_out`: other properties of the search.' }),
  ),
  booking_id: Type.Optional(
    Type.String({
      description: 'With `booking_rejected`, `sold_out` and `idempotency_mismatch`: the booking concerned.',
    }),
  ),
  booking: Type.Optional(BookingSchema),
}
