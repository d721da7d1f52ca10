import type { Static } from 'typebox'
import type { Location } from '../domain/property/location.ts'
import type { LocationSummary } from './schemas.ts'

export const presentLocation = (location: Location): Static<typeof LocationSummary> => ({
  id: location.id,
  name: location.name,
  type: location.type,
  country_code: location.countryCode,
  location: { lat: location.point.lat, lon: location.point.lon },
  iata: location.iata ?? null,
  timezone: location.timezone,
  ...(location.propertyId !== undefined && { property_id: location.propertyId }),
})

export const presentNeighbourhood = ({ id, name, point }: Location) => ({
  id,
  name,
  location: { lat: point.lat, lon: point.lon },
})
