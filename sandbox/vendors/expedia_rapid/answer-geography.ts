import { type Circle, distanceKm, isPoint, type Point } from '../../../src/lib/geo.ts'
import type { StandInAnswer } from '../../server/answer-under-faults.ts'
import { listIn, objectIn } from '../../server/read-json.ts'
import type { VendorWorld } from '../../world/contract.ts'
import { invalidInput, json, type NestedError, nested } from './vendor-words.ts'

const CORNERS_MAX = 2_000
const DIAGONAL_MAX_KM = 500
/** Building all properties of a wide polygon takes too long, so only those nearest to its centre are returned. */
const PROPERTIES_MAX = 2_000

/** Ids of the properties in a polygon, in order of id. */
export function answerGeography(world: VendorWorld, query: URLSearchParams, body: unknown): StandInAnswer {
  const errors = queryErrors(query)
  if (errors.length > 0) return invalidInput(errors)
  const ring = parseRing(body)
  if ('type' in ring) return invalidInput([ring])
  const found = world.near(enclosingCircle(ring), PROPERTIES_MAX).flatMap((property) => {
    const view = world.view(property)
    return view !== undefined && isInside(ring, view.point) ? String(view.vendorPropertyId) : []
  })
  return json(200, Object.fromEntries(found.map((property_id) => [property_id, { property_id }])))
}

function queryErrors(query: URLSearchParams): NestedError[] {
  const errors: NestedError[] = []
  if (query.getAll('include').join() !== 'property_ids') {
    const message = 'Include is invalid. Accepted include values are: [property_ids]'
    errors.push(nested('include.invalid', message, 'include', 'querystring'))
  }
  if (query.get('supply_source') !== 'expedia' && query.get('supply_source') !== 'vrbo') {
    errors.push(nested('supply_source.required', 'A supply_source is required.', 'supply_source', 'querystring'))
  }
  return errors
}

/** A closed ring of `[longitude, latitude]` within the vendor's limits for corners and diagonal. */
function parseRing(body: unknown): readonly Point[] | NestedError {
  const [first, ...others] = listIn(body, 'coordinates')
  const pairs = Array.isArray(first) ? first : []
  const ring = pairs.map((pair): Point => ({ lon: Number(pair?.[0]), lat: Number(pair?.[1]) }))
  if (ring.length === 0) return { type: 'polygon.coordinates_required', message: 'The polygon must have coordinates.' }
  const [start, end] = [ring[0], ring.at(-1)]
  const isClosed = ring.length >= 4 && start?.lat === end?.lat && start?.lon === end?.lon
  const isPolygon = objectIn(body).type === 'Polygon' && others.length === 0
  if (!isPolygon || !isClosed || !ring.every(({ lat, lon }) => isPoint(lat, lon))) {
    return { type: 'polygon.invalid', message: 'The polygon is invalid.' }
  }
  if (ring.length > CORNERS_MAX) return { type: 'polygon.too_many_coordinates', message: 'At most 2000 coordinates.' }
  const { southWest, northEast } = boundingBox(ring)
  if (distanceKm(southWest, northEast) < DIAGONAL_MAX_KM) return ring
  return { type: 'polygon.too_large', message: 'The diagonal of the polygon must be less than 500 km.' }
}

function boundingBox(ring: readonly Point[]): { southWest: Point; northEast: Point } {
  const [lats, lons] = [ring.map(({ lat }) => lat), ring.map(({ lon }) => lon)]
  return {
    southWest: { lat: Math.min(...lats), lon: Math.min(...lons) },
    northEast: { lat: Math.max(...lats), lon: Math.max(...lons) },
  }
}

function enclosingCircle(ring: readonly Point[]): Circle {
  const { southWest, northEast } = boundingBox(ring)
  const center = { lat: (southWest.lat + northEast.lat) / 2, lon: (southWest.lon + northEast.lon) / 2 }
  return { center, radiusKm: Math.max(...ring.map((corner) => distanceKm(center, corner))) }
}

/** A ray to the east crosses the ring an odd number of times from inside. */
function isInside(ring: readonly Point[], { lat, lon }: Point): boolean {
  let inside = false
  for (const [index, a] of ring.entries()) {
    const b = ring[index + 1] ?? a
    const crosses = a.lat > lat !== b.lat > lat
    if (crosses && lon < a.lon + ((b.lon - a.lon) * (lat - a.lat)) / (b.lat - a.lat)) inside = !inside
  }
  return inside
}
