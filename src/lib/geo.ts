export type Point = { readonly lat: number; readonly lon: number }
export type Circle = { readonly center: Point; readonly radiusKm: number }
/** If `west` is greater than `east`, the box crosses the 180th meridian. */
export type Box = { readonly south: number; readonly west: number; readonly north: number; readonly east: number }
/** A circle, or the part of it inside a box. */
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

const widthInDegrees = ({ west, east }: Box) => (east >= west ? east - west : east - west + 360)

export function isInBox(box: Box, { lat, lon }: Point): boolean {
  if (lat < box.south || lat > box.north) return false
  return box.west <= box.east ? lon >= box.west && lon <= box.east : lon >= box.west || lon <= box.east
}

/** Circle through the farthest corner of a box. */
export function circleAround(box: Box): Circle {
  const east = box.west + widthInDegrees(box) / 2
  const center = { lat: (box.south + box.north) / 2, lon: east > 180 ? east - 360 : east }
  const corners = [box.south, box.north].flatMap((lat) => [box.west, box.east].map((lon) => ({ lat, lon })))
  return { center, radiusKm: Math.max(...corners.map((corner) => distanceKm(center, corner))) }
}

/** Widest circle around the centre of a box that fits inside it. */
export function circleWithin(box: Box): Circle {
  const { center } = circleAround(box)
  const { lat, lon } = center
  const edges = [
    { lat: box.north, lon },
    { lat, lon: box.east },
  ]
  return { center, radiusKm: Math.min(...edges.map((edge) => distanceKm(center, edge))) }
}
