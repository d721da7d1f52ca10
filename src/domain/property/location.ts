import type { Point } from '../../lib/geo.ts'

export const LOCATION_TYPES = [
  'city',
  'airport',
  'region',
  'country',
  'neighbourhood',
  'landmark',
  'area',
  'station',
  'property',
] as const
export type LocationType = (typeof LOCATION_TYPES)[number]

export type Location = {
  /** UUIDv5 of the source's key, so that it never changes. */
  readonly id: string
  /** "Nice, Provence-Alpes-Côte d'Azur, France". */
  readonly name: string
  readonly type: LocationType
  readonly countryCode: string
  readonly point: Point
  readonly radiusKm: number
  readonly timezone: string
  readonly iata?: string
  /** Set if the location is a property, which is then listed first in a search. */
  readonly propertyId?: string
}
