import type { Point } from '../../../src/lib/geo.ts'
import type { Place } from '../contract.ts'
import { ASPECT, hash, hashShare } from '../hash.ts'
import { findTwin, toPropertyKey } from '../property/traits.ts'
import { isLand } from './land-mask.ts'

const SIGMAS_MAX = 3
const KM_PER_DEGREE = 111.19
const TRIES = 6
/** A twin is placed next to its first property, which may be at the edge. */
const TWIN_KM = 0.25

/** Maximum distance of a property from the centre of its place. */
export const SPREAD_KM_MAX = 5 * SIGMAS_MAX + TWIN_KM
export const spreadKm = (population: number): number => SIGMAS_MAX * sigmaKm(population) + TWIN_KM

/** Half a kilometre for a village, five for a metropolis. */
export function sigmaKm(population: number): number {
  if (population <= 20_000) return 0.6
  return Math.min(5, 0.6 + 2.2 * (Math.log10(population) - 4.3))
}

/**
 * Position of a property: scattered around the centre, not in the sea; twins side by side. Must be cheap: it is the
 * most frequent call.
 */
export function computePosition(place: Place, n: number, count: number): Point {
  const twin = findTwin(place.sourceId, n, count)
  if (twin?.side !== 1) return scatter(place, toPropertyKey(place.sourceId, n))
  const first = scatter(place, toPropertyKey(place.sourceId, n - 1))
  const key = toPropertyKey(place.sourceId, n)
  const meters =
    twin.relation === 'towers' ? 40 + 110 * hashShare(key, ASPECT.position) : 60 + 190 * hashShare(key, ASPECT.position)
  return movePoint(first, meters / 1000, hashShare(key, ASPECT.position, 1))
}

function scatter(place: Place, key: number): Point {
  const sigma = sigmaKm(place.population)
  for (let round = 0; round < TRIES; round++) {
    const u = hash(key, ASPECT.position, round * 2 + 10) / 4294967296
    const reach = Math.min(SIGMAS_MAX, Math.sqrt(-2 * Math.log(u + 1e-9)))
    const point = movePoint(place.point, sigma * reach, hashShare(key, ASPECT.position, round * 2 + 11))
    if (isLand(point)) return point
  }
  // The mask does not cover this shore (a small island, a pier): stay close to the known centre of the town.
  return movePoint(place.point, 0.3 * hashShare(key, ASPECT.position, 40), hashShare(key, ASPECT.position, 41))
}

/** `turn` is the direction as a share of the full circle. Six decimals are accurate to less than a metre. */
export function movePoint(point: Point, km: number, turn: number): Point {
  const angle = turn * 2 * Math.PI
  const lat = point.lat + (km / KM_PER_DEGREE) * Math.cos(angle)
  const shrink = Math.max(0.02, Math.cos((point.lat * Math.PI) / 180))
  const lon = point.lon + ((km / KM_PER_DEGREE) * Math.sin(angle)) / shrink
  return {
    lat: roundDegrees(Math.max(-90, Math.min(90, lat))),
    lon: roundDegrees(lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon),
  }
}

const roundDegrees = (degrees: number) => Math.round(degrees * 1e6) / 1e6
