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

/** A place that can be searched. */
export type Location = {
  /** UUIDv5 of the source's own key: the same on every machine and after every data update. */
  readonly id: string
  /** "Nice, Provence-Alpes-Côte d'Azur, France". */
  readonly name: string
  readonly type: LocationType
  readonly countryCode: string
  readonly point: Point
  /** How far around the point a stay still counts as "there". */
  readonly radiusKm: number
  readonly timezone: string
  readonly iata?: string
  /** Of a property: its own id, under which it comes first in a search. */
  readonly propertyId?: string
}
