import { type Circle, distanceKm, isPoint, type Point } from '../../lib/geo.ts'
import { MODELS, type Model } from './models.ts'

export const SIMULATOR_IDS = ['simulator_a', 'simulator_b'] as const
export type SimulatorId = (typeof SIMULATOR_IDS)[number]

/** Location and model of a simulated property, derived from its id. */
export type Site = {
  readonly propertyId: string
  readonly point: Point
  readonly model: Model
  readonly sellers: readonly SimulatorId[]
}

const STEPS_PER_DEGREE = 10_000
const KM_PER_DEGREE = 111.2
/** Maximum distance from the searched place; smaller in a small circle. */
const REACH_KM = 5
/** Steps from the south pole, steps from the date line, index of the model. */
const ID = /^sim_([0-9a-z]{1,5})_([0-9a-z]{1,5})_([0-9a-z])$/
/** Paris, for ids without coordinates. */
const DEFAULT_POINT: Point = { lat: 48.8566, lon: 2.3522 }

/** One property of each model inside a circle, sorted by distance. */
export function sitesAround({ center, radiusKm }: Circle): Site[] {
  const reachKm = Math.min(REACH_KM, Math.max(0.05, radiusKm) * 0.85)
  return MODELS.map((model, index) => {
    const bearing = 2 * Math.PI * drawFraction('bearing', center.lat.toFixed(4), center.lon.toFixed(4), index)
    const point = roundPoint(movePoint(center, reachKm * Math.sqrt((index + 0.5) / MODELS.length), bearing))
    return { propertyId: buildId(point, index), point, model, sellers: listSellers(model) }
  }).sort((a, b) => distanceKm(center, a.point) - distanceKm(center, b.point))
}

function buildId({ lat, lon }: Point, model: number): string {
  const steps = [(lat + 90) * STEPS_PER_DEGREE, (lon + 180) * STEPS_PER_DEGREE, model]
  return `sim_${steps.map((count) => Math.round(count).toString(36)).join('_')}`
}

/** Every id is valid: issued ids contain coordinates; any other id gets a location from its hash. */
export function resolveSite(propertyId: string): Site {
  const [south, west, index] = (ID.exec(propertyId) ?? []).slice(1).map((count) => Number.parseInt(count, 36))
  const [lat, lon] = [(south ?? 0) / STEPS_PER_DEGREE - 90, (west ?? 0) / STEPS_PER_DEGREE - 180]
  const model = index === undefined ? undefined : MODELS[index]
  if (model !== undefined && isPoint(lat, lon)) {
    return { propertyId, point: roundPoint({ lat, lon }), model, sellers: listSellers(model) }
  }
  const drawnModel = MODELS[draw('model', propertyId) % MODELS.length]
  if (drawnModel === undefined) throw new Error('no models')
  const point = movePoint(
    DEFAULT_POINT,
    3 * drawFraction('away', propertyId),
    2 * Math.PI * drawFraction('bearing', propertyId),
  )
  // Both vendors sell it, so that any id works with either.
  return { propertyId, point: roundPoint(point), model: drawnModel, sellers: SIMULATOR_IDS }
}

const listSellers = ({ onlyAt }: Model): readonly SimulatorId[] => (onlyAt === undefined ? SIMULATOR_IDS : [onlyAt])

const PREFIX: Record<SimulatorId, string> = { simulator_a: 'a_', simulator_b: 'b_' }

export const toVendorPropertyId = (vendorId: SimulatorId, propertyId: string): string => PREFIX[vendorId] + propertyId

/**
 * Undefined if the vendor does not sell the property. An id without a prefix is sold by every vendor, so that a booking
 * can be tried without a search.
 */
export function findSoldSite(vendorId: SimulatorId, id: string): Site | undefined {
  const prefix = Object.values(PREFIX).find((candidate) => id.startsWith(candidate))
  if (prefix === undefined) return resolveSite(id)
  if (prefix !== PREFIX[vendorId]) return undefined
  const site = resolveSite(id.slice(prefix.length))
  return site.sellers.includes(vendorId) ? site : undefined
}

const roundPoint = ({ lat, lon }: Point): Point => ({ lat: roundDegrees(lat), lon: roundDegrees(lon) })
/** Adding 0 turns -0 into 0. */
const roundDegrees = (degrees: number) => Number(degrees.toFixed(4)) + 0

/** A flat approximation is good enough for five kilometres; at the poles and the date line it must only not fail. */
function movePoint({ lat, lon }: Point, km: number, bearing: number): Point {
  const longitudeScale = Math.max(0.05, Math.cos((lat * Math.PI) / 180))
  const east = lon + (km / (KM_PER_DEGREE * longitudeScale)) * Math.sin(bearing)
  return {
    lat: Math.max(-90, Math.min(90, lat + (km / KM_PER_DEGREE) * Math.cos(bearing))),
    lon: ((((east + 180) % 360) + 360) % 360) - 180,
  }
}

/** Deterministic 32-bit hash of the parts (FNV-1a, mixed). */
export function draw(...parts: readonly (string | number)[]): number {
  let mixed = 0x811c9dc5
  for (const character of parts.join('\u0000')) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** From 0 up to, but not including, 1. */
export const drawFraction = (...parts: readonly (string | number)[]): number => draw(...parts) / 2 ** 32
