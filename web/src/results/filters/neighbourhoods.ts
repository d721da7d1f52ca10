import type { Neighbourhood, Summary } from '../../api/shapes.ts'
import { nearestLongitude } from '../../map/longitude.ts'

/** A stay farther than this from every neighbourhood's centre belongs to none. */
const MAX_DISTANCE_KM = 2
const KM_PER_DEGREE = 111.2

export type Found = ReadonlyMap<string, Summary>

/** Assigns each stay to its neighbourhood. Returns the same object for the same stay, so that its card is not re-rendered. */
export function createLocator(places: readonly Neighbourhood[]): (found: Found) => Found {
  const located = new WeakMap<Summary, Summary>()
  const locate = (property: Summary): Summary => {
    const known = located.get(property) ?? { ...property, neighbourhood: findNearestName(places, property.location) }
    located.set(property, known)
    return known
  }
  return (found) => new Map(Array.from(found, ([id, property]) => [id, locate(property)]))
}

/** Short name, such as "Alfama" for "Alfama, Lisbon, Portugal"; empty if there is none nearby. */
function findNearestName(places: readonly Neighbourhood[], { lat, lon }: Summary['location']): string {
  let best = { name: '', km: MAX_DISTANCE_KM }
  for (const { name, location } of places) {
    const north = (location.lat - lat) * KM_PER_DEGREE
    const east = (nearestLongitude(location.lon, lon) - lon) * KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
    const km = Math.hypot(north, east)
    if (km < best.km) best = { name, km }
  }
  return best.name.split(', ')[0] ?? ''
}
