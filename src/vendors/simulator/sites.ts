import { type Circle, distanceKm, isPoint, type Point } from '../../lib/geo.ts'
import { MODELS, type Model } from './models.ts'

export const SIMULATOR_IDS = ['simulator_a', 'simulator_b'] as const
export type SimulatorId = (typeof SIMULATOR_IDS)[number]

/** Where a simulated property stands, and what it is like. All of it follows from its id. */
export type Site = {
  readonly propertyId: string
  readonly point: Point
  readonly model: Model
  /** The vendors that sell it. */
  readonly sellers: readonly SimulatorId[]
}

const STEPS_PER_DEGREE = 10_000
const KM_PER_DEGREE = 111.2
/** Properties stand within this distance of the place that is searched; in a small circle they move together. */
const REACH_KM = 5
/** Steps from the south pole, steps from the date line, place in the list of models. */
const ID = /^sim_([0-9a-z]{1,5})_([0-9a-z]{1,5})_([0-9a-z])$/
/** Paris, for ids that name no place. */
const SOMEWHERE: Point = { lat: 48.8566, lon: 2.3522 }

/** One property of each model inside a circle, nearest first. */
export function sitesAround({ center, radiusKm }: Circle): Site[] {
  const reachKm = Math.min(REACH_KM, Math.max(0.05, radiusKm) * 0.85)
  return MODELS.map((model, at) => {
    const bearing = 2 * Math.PI * share('bearing', center.lat.toFixed(4), center.lon.toFixed(4), at)
    const point = rounded(moved(center, reachKm * Math.sqrt((at + 0.5) / MODELS.length), bearing))
    return { propertyId: idOf(point, at), point, model, sellers: sellersOf(model) }
  }).sort((a, b) => distanceKm(center, a.point) - distanceKm(center, b.point))
}

function idOf({ lat, lon }: Point, model: number): string {
  const steps = [(lat + 90) * STEPS_PER_DEGREE, (lon + 180) * STEPS_PER_DEGREE, model]
  return `sim_${steps.map((count) => Math.round(count).toString(36)).join('_')}`
}

/** Any id has a property: one that was issued carries its place, any other is given one by its letters. */
export function siteOf(propertyId: string): Site {
  const [south, west, at] = (ID.exec(propertyId) ?? []).slice(1).map((count) => Number.parseInt(count, 36))
  const [lat, lon] = [(south ?? 0) / STEPS_PER_DEGREE - 90, (west ?? 0) / STEPS_PER_DEGREE - 180]
  const listed = at === undefined ? undefined : MODELS[at]
  if (listed !== undefined && isPoint(lat, lon)) {
    return { propertyId, point: rounded({ lat, lon }), model: listed, sellers: sellersOf(listed) }
  }
  const model = MODELS[draw('model', propertyId) % MODELS.length]
  if (model === undefined) throw new Error('there are no models')
  const point = moved(SOMEWHERE, 3 * share('away', propertyId), 2 * Math.PI * share('bearing', propertyId))
  // Both vendors sell it, so that any id can be tried with either.
  return { propertyId, point: rounded(point), model, sellers: SIMULATOR_IDS }
}

const sellersOf = ({ onlyAt }: Model): readonly SimulatorId[] => (onlyAt === undefined ? SIMULATOR_IDS : [onlyAt])

/** What each vendor puts before our id to make its own. */
const PREFIX: Record<SimulatorId, string> = { simulator_a: 'a_', simulator_b: 'b_' }

export const vendorPropertyIdOf = (vendorId: SimulatorId, propertyId: string): string => PREFIX[vendorId] + propertyId

/**
 * The property behind a vendor's id; undefined where that vendor does not sell it. By its bare id any vendor sells any
 * property: that is how a booking is tried without a search.
 */
export function soldSite(vendorId: SimulatorId, id: string): Site | undefined {
  const prefix = Object.values(PREFIX).find((one) => id.startsWith(one))
  if (prefix === undefined) return siteOf(id)
  if (prefix !== PREFIX[vendorId]) return undefined
  const site = siteOf(id.slice(prefix.length))
  return site.sellers.includes(vendorId) ? site : undefined
}

const rounded = ({ lat, lon }: Point): Point => ({ lat: fourDigits(lat), lon: fourDigits(lon) })
/** Adding nothing turns -0 into 0. */
const fourDigits = (degrees: number) => Number(degrees.toFixed(4)) + 0

/** A flat earth is good enough for five kilometres; at the poles and the date line it only must not break. */
function moved({ lat, lon }: Point, km: number, bearing: number): Point {
  const narrow = Math.max(0.05, Math.cos((lat * Math.PI) / 180))
  const east = lon + (km / (KM_PER_DEGREE * narrow)) * Math.sin(bearing)
  return {
    lat: Math.max(-90, Math.min(90, lat + (km / KM_PER_DEGREE) * Math.cos(bearing))),
    lon: ((((east + 180) % 360) + 360) % 360) - 180,
  }
}

/** A 32-bit number out of whatever is given: the same parts give the same number on every machine (FNV-1a, mixed). */
export function draw(...parts: readonly (string | number)[]): number {
  let mixed = 0x811c9dc5
  for (const sign of parts.join('\u0000')) mixed = Math.imul(mixed ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** From 0 up to, but not including, 1. */
export const share = (...parts: readonly (string | number)[]): number => draw(...parts) / 2 ** 32
