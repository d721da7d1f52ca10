import { Type } from 'typebox'
import { Uuid } from '../../http/schemas/scalars.ts'
import { LocationTypeSchema } from '../../locations/schemas.ts'
import { VendorReportSchema } from './search.ts'

const LocationChoice = Type.Object(
  { id: Uuid, name: Type.String(), type: LocationTypeSchema },
  { title: 'LocationChoice' },
)

export const SEARCH_PROBLEM_MEMBERS = {
  vendors: Type.Optional(
    Type.Array(VendorReportSchema, {
      description: 'With `vendors_failed` and `vendor_timeout`: the result of each vendor.',
    }),
  ),
  choose_instead: Type.Optional(
    Type.Array(LocationChoice, { description: 'With `location_too_large`: smaller places inside it.' }),
  ),
}
