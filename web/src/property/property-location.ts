import type { SearchResult, Summary } from '../api/shapes.ts'
import { sha1 } from './sha1.ts'

/** Must equal the namespace in src/domain/property/property-location.ts; a test compares them. */
const PROPERTY_NAMESPACE = '3f6c2b8e-1d54-4f0a-9c47-6b7a0e5d2a90'

/** Location id (UUIDv5) for searching a property as a destination. */
export function propertyLocationId(propertyId: string): string {
  const space = PROPERTY_NAMESPACE.replaceAll('-', '').match(/../g) ?? []
  const name = new TextEncoder().encode(propertyId)
  const hex = sha1(Uint8Array.from([...space.map((byte) => Number.parseInt(byte, 16)), ...name]))
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Property searched for by name. Until the service reports it at the end, the found one with the searched location id. */
export function findSearchedProperty(
  placeId: string,
  searched: SearchResult['location'] | undefined,
  found: ReadonlyMap<string, Summary>,
): string | undefined {
  if (searched !== undefined) return searched.property_id
  const here = [...found.values()].filter(({ distance_km }) => distance_km === 0)
  return here.find(({ property_id }) => propertyLocationId(property_id) === placeId)?.property_id
}
