import { Type } from 'typebox'
import { LOCATION_TYPES } from '../domain/property/location.ts'
import { dataEnvelope, listEnvelope } from '../http/schemas/answer.ts'
import { nullable } from '../http/schemas/or-null.ts'
import { languageParameter, Point, TimeZone } from '../http/schemas/scalars.ts'

export const LocationTypeSchema = Type.Enum([...LOCATION_TYPES], { title: 'LocationType' })

export const LocationPropertyId = Type.Optional(
  Type.String({ description: 'Only for a property: a search with this location lists this `property_id` first.' }),
)

export const LocationSummary = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The `destination_id` of a search; never changes.' }),
    name: Type.String({
      description:
        'The place, its region and its country, such as `Lisbon, Portugal`. Each part is in `language` if that name is known, otherwise in English.',
    }),
    type: LocationTypeSchema,
    country_code: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1.' }),
    location: Point,
    iata: nullable(Type.String({ pattern: '^[A-Z]{3}$' })),
    timezone: TimeZone,
    property_id: LocationPropertyId,
  },
  { title: 'Location' },
)

export const NeighbourhoodList = dataEnvelope(
  'NeighbourhoodList',
  Type.Array(
    Type.Object(
      {
        id: Type.String({ format: 'uuid', description: 'Also valid as `destination_id`.' }),
        name: Type.String({ description: 'Neighbourhood, place, country.' }),
        location: Point,
      },
      { title: 'Neighbourhood' },
    ),
  ),
)

const NEEDED = { code: 'required', message: 'starts_with is missing. Send the first letters of a place.' }

export const LocationQuery = Type.Object({
  starts_with: Type.String({
    description:
      'At least 3 characters, or 2 Chinese, Japanese or Korean ones (東京, パリ, 서울); with fewer, `data` is empty and `meta.errors` explains why.',
    example: 'par',
    'x-errors': { required: NEEDED, type: NEEDED },
  }),
  language: languageParameter(
    'Language of the names, BCP 47; English by default. Filters and orders use English names.',
  ),
})

export const LocationList = listEnvelope('LocationList', LocationSummary)
