import { type Circle, distanceKm, type Point } from '../../lib/geo.ts'
import { remember } from '../../lib/remember.ts'
import { draw, share } from './draw.ts'
import { HOUSES } from './houses.ts'

/** Where a simulated property stands, and which house it is. All of it follows from its id. */
export type Site = {
  readonly propertyId: string
  readonly point: Point
  readonly house: number
  /** False for an id that no search of ours ever gave out. */
  readonly isListed: boolean
}

const STEPS_PER_DEGREE = 10_000
const LON_STEPS = 360 * STEPS_PER_DEGREE + 1
const LAT_STEPS = 180 * STEPS_PER_DEGREE + 1
const HOUSES_MAX = 16
const KM_PER_DEGREE = 111.2
/** No town is wider; in a small circle the houses move together. */
const TOWN_KM = 5
const ID = /^sim_([0-9a-z]{1,11})([0-9a-z]{2})$/

/** The town around the middle of a circle: one of each house, none outside, nearest first. */
export function townAround(circle: Circle): Site[] {
  const { center } = circle
  const reachKm = Math.min(TOWN_KM, Math.max(0.05, circle.radiusKm) * 0.85)
  return HOUSES.map((_, house): Site => {
    const bearing = 2 * Math.PI * share('bearing', center.lat.toFixed(4), center.lon.toFixed(4), house)
    const point = snapped(moved(center, reachKm * Math.sqrt((house + 0.5) / HOUSES.length), bearing))
    return { propertyId: idOf(point, house), point, house, isListed: true }
  }).sort((a, b) => distanceKm(center, a.point) - distanceKm(center, b.point))
}

/** Any id has a property. A booking asks for its own half a dozen times. */
export const siteOf: (propertyId: string) => Site = remember(2_000, findSite)

/** Our ids carry their place, a stranger's is given one by its letters. */
function findSite(propertyId: string): Site {
  const [, body = '', mark] = ID.exec(propertyId) ?? []
  const value = mark === markOf(body) ? Number.parseInt(body, 36) : Number.NaN
  const house = value % HOUSES_MAX
  const steps = Math.floor(value / HOUSES_MAX)
  const [latSteps, lonSteps] = [Math.floor(steps / LON_STEPS), steps % LON_STEPS]
  if (latSteps < LAT_STEPS && house < HOUSES.length) {
    const point = { lat: latSteps / STEPS_PER_DEGREE - 90, lon: lonSteps / STEPS_PER_DEGREE - 180 }
    return { propertyId, point: snapped(point), house, isListed: true }
  }
  const point = moved(SOMEWHERE, 3 * share('away', propertyId), 2 * Math.PI * share('bearing', propertyId))
  return { propertyId, point: snapped(point), house: draw('house', propertyId) % HOUSES.length, isListed: false }
}

/** The middle of Paris, for ids that name no place. */
const SOMEWHERE: Point = { lat: 48.8566, lon: 2.3522 }

function idOf({ lat, lon }: Point, house: number): string {
  const latSteps = Math.round((lat + 90) * STEPS_PER_DEGREE)
  const lonSteps = Math.round((lon + 180) * STEPS_PER_DEGREE)
  const body = ((latSteps * LON_STEPS + lonSteps) * HOUSES_MAX + house).toString(36)
  return `sim_${body}${markOf(body)}`
}

/** Tells an id of ours from one that merely looks like it and would stand on the South Pole. */
const markOf = (body: string) => (draw('mark', body) % 1296).toString(36).padStart(2, '0')

const snapped = ({ lat, lon }: Point): Point => ({ lat: fourDigits(lat), lon: fourDigits(lon) })
/** Adding nothing turns -0 into 0. */
const fourDigits = (degrees: number) => Number(degrees.toFixed(4)) + 0

/** Flat-earth steps are good enough for five kilometres; poles and the date line only must not break it. */
function moved({ lat, lon }: Point, km: number, bearing: number): Point {
  const narrow = Math.max(0.05, Math.cos((lat * Math.PI) / 180))
  const east = lon + (km / (KM_PER_DEGREE * narrow)) * Math.sin(bearing)
  return {
    lat: Math.max(-90, Math.min(90, lat + (km / KM_PER_DEGREE) * Math.cos(bearing))),
    lon: ((((east + 180) % 360) + 360) % 360) - 180,
  }
}
