import { Type } from 'typebox'
import { LOCATION_TYPES } from '../domain/property/location.ts'
import { dataOf, listOf } from '../http/schemas/answer.ts'
import { nullable } from '../http/schemas/or-null.ts'
import { Point, TimeZone } from '../http/schemas/scalars.ts'

export const LocationTypeSchema = Type.Enum([...LOCATION_TYPES], { title: 'LocationType' })

export const LocationPropertyId = Type.Optional(
  Type.String({ description: 'Of a property: the `property_id` under which a search for it puts it first.' }),
)

export const LocationSummary = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The `destination_id` of a search; stays the same forever.' }),
    name: Type.String({ description: 'Place, region, country.' }),
    type: LocationTypeSchema,
    country_code: Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1.' }),
    location: Point,
    iata: nullable(Type.String({ pattern: '^[A-Z]{3}$' })),
    timezone: TimeZone,
    property_id: LocationPropertyId,
  },
  { title: 'Location' },
)

/** What lies in a place and is narrower than it. */
export const NeighbourhoodList = dataOf(
  'NeighbourhoodList',
  Type.Array(
    Type.Object(
      {
        id: Type.String({ format: 'uuid', description: 'A `destination_id` too.' }),
        name: Type.String({ description: 'Neighbourhood, place, country.' }),
        location: Point,
      },
      { title: 'Neighbourhood' },
    ),
  ),
)

const NEEDED = { code: 'required', message: 'starts_with is missing: send the first letters of a place.' }

export const LocationQuery = Type.Object({
  starts_with: Type.String({
    description:
      'At least 3 characters, where a Chinese, Japanese or Korean one counts as two (東京, パリ, 서울); with fewer, `data` is empty and `meta.errors` says so.',
    example: 'par',
    'x-errors': { required: NEEDED, type: NEEDED },
  }),
})

export const LocationList = listOf('LocationList', LocationSummary)
