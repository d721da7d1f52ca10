import { type Static, Type } from 'typebox'
import { LOCATION_TYPES, type Location } from '../../domain/location.ts'
import { listEnvelope } from '../../lists/meta-schema.ts'
import { meta } from './examples.ts'

export const LocationSummary = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The `destination_id` of a search; stays the same forever.' }),
  name: Type.String({ description: 'Place, region, country.' }),
  type: Type.Enum([...LOCATION_TYPES], { description: 'For choosing an icon.' }),
  country_code: Type.String(),
  location: Type.Object({ lat: Type.Number(), lon: Type.Number() }),
  iata: Type.Union([Type.String(), Type.Null()]),
  timezone: Type.String(),
})

export const LocationList = {
  ...listEnvelope(LocationSummary),
  description: 'Best match first.',
  examples: [
    {
      data: [
        {
          id: '2f9d4b9e-7f0b-5c0a-9d2b-6b1b8c3a4d5e',
          name: 'Paris, Île-de-France, France',
          type: 'city',
          country_code: 'FR',
          location: { lat: 48.85341, lon: 2.3488 },
          iata: null,
          timezone: 'Europe/Paris',
        },
      ],
      meta,
    },
  ],
}

export const presentLocation = (location: Location): Static<typeof LocationSummary> => ({
  id: location.id,
  name: location.name,
  type: location.type,
  country_code: location.countryCode,
  location: { lat: location.point.lat, lon: location.point.lon },
  iata: location.iata ?? null,
  timezone: location.timezone,
})
