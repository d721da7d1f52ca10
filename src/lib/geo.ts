export type Point = { readonly lat: number; readonly lon: number }
export type Circle = { readonly center: Point; readonly radiusKm: number }
/** Between two parallels and two meridians; where `west` is greater than `east`, it lies across the 180th meridian. */
export type Box = { readonly south: number; readonly west: number; readonly north: number; readonly east: number }
/** What is searched: a circle, or as much of it as lies in a box. */
export type Region = Circle & { readonly box?: Box }

const EARTH_RADIUS_KM = 6371.0088
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance (haversine). */
export function distanceKm(a: Point, b: Point): number {
  const dLat = radians(b.lat - a.lat)
  const dLon = radians(b.lon - a.lon)
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(dLon / 2) ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

export function isPoint(lat: unknown, lon: unknown): boolean {
  return (
    typeof lat === 'number' &&
    typeof lon === 'number' &&
    Number.isFinite(lat) &&
    Number.isFinite(lon) &&
    Math.abs(lat) <= 90 &&
    Math.abs(lon) <= 180
  )
}

const degreesWide = ({ west, east }: Box) => (east >= west ? east - west : east - west + 360)

export function isInBox(box: Box, { lat, lon }: Point): boolean {
  if (lat < box.south || lat > box.north) return false
  return box.west <= box.east ? lon >= box.west && lon <= box.east : lon >= box.west || lon <= box.east
}

/** The middle of a box and the distance to its farthest corner. */
export function circleAround(box: Box): Circle {
  const east = box.west + degreesWide(box) / 2
  const center = { lat: (box.south + box.north) / 2, lon: east > 180 ? east - 360 : east }
  const corners = [box.south, box.north].flatMap((lat) => [box.west, box.east].map((lon) => ({ lat, lon })))
  return { center, radiusKm: Math.max(...corners.map((corner) => distanceKm(center, corner))) }
}

/** The widest circle around the middle of a box that lies in it. */
export function circleWithin(box: Box): Circle {
  const { center } = circleAround(box)
  const { lat, lon } = center
  const reach = [
    { lat: box.north, lon },
    { lat, lon: box.east },
  ]
  return { center, radiusKm: Math.min(...reach.map((edge) => distanceKm(center, edge))) }
}
