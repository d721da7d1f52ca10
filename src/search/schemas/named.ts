import { Type } from 'typebox'
import { BED_TYPES } from '../../domain/property/beds.ts'
import { CATEGORIES, FEES } from '../../domain/property/vocabulary.ts'
import { nullable } from '../../http/schemas/or-null.ts'
import { Amount, Count, Currency } from '../../http/schemas/scalars.ts'

export const CategoryCode = nullable(Type.Enum(CATEGORIES.codes), 'Null if `category` is another name of the vendor’s.')
export const AmenitySlugs = Type.Array(Type.String(), { description: 'Slugs, for filters.' })

/** Bed members shared by rooms, room types and booked rooms. */
export const BEDS = {
  beds: Type.Array(Type.String(), { description: 'In English, such as `1 King Bed`.' }),
  bed_types: Type.Array(Type.Array(Type.Object({ type: Type.Enum([...BED_TYPES]), count: Count }, { title: 'Bed' })), {
    description:
      'The same beds by type and number. Has one list for each text of `beds`, in the same order. A list is empty if its text names no known type.',
  }),
}

export const FeeSchema = Type.Object(
  {
    label: Type.String(),
    label_code: nullable(Type.Enum(FEES.codes), 'Null if `label` is another name of the vendor’s.'),
    amount: Amount,
    currency: Currency,
    paid_at: Type.Enum(['booking', 'property']),
    local: Type.Optional(
      Type.Object(
        { amount: Amount, currency: Currency },
        {
          title: 'LocalAmount',
          description: 'The fee in the property’s own currency, if that is another; `amount` is then converted.',
        },
      ),
    ),
  },
  { title: 'Fee' },
)
