import type { Neighbourhood, Summary } from '../../api/shapes.ts'
import { besideLongitude } from '../../map/longitude.ts'

/** A stay farther than this from the middle of every neighbourhood is in none. */
const REACH_KM = 2
const KM_PER_DEGREE = 111.2

export type Found = ReadonlyMap<string, Summary>

/** Puts each stay into its neighbourhood. The same stay stays the same object, so that its card is not drawn again. */
export function createLocate(places: readonly Neighbourhood[]): (found: Found) => Found {
  const located = new WeakMap<Summary, Summary>()
  const locate = (property: Summary): Summary => {
    const known = located.get(property) ?? { ...property, neighbourhood: nearest(places, property.location) }
    located.set(property, known)
    return known
  }
  return (found) => new Map(Array.from(found, ([id, property]) => [id, locate(property)]))
}

/** By its short name, "Alfama" of "Alfama, Lisbon, Portugal"; empty where the stay is in none. */
function nearest(places: readonly Neighbourhood[], { lat, lon }: Summary['location']): string {
  let best = { name: '', km: REACH_KM }
  for (const { name, location } of places) {
    const north = (location.lat - lat) * KM_PER_DEGREE
    const east = (besideLongitude(location.lon, lon) - lon) * KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180)
    const km = Math.hypot(north, east)
    if (km < best.km) best = { name, km }
  }
  return best.name.split(', ')[0] ?? ''
}
