import { type Place, PROPERTY_KINDS, type PropertyKind } from '../contract.ts'
import { ASPECT, hash, hashShare, itemAt } from '../hash.ts'
import { type Country, findCountry } from '../places/countries.ts'
import { findDestination, type Setting } from '../places/destinations.ts'
import { type Chain, pickChain } from './chains.ts'

/**
 * Two properties that are easily mistaken for one: `towers` of one resort, or two properties of one chain in one
 * street. They exist to test matching by name and distance.
 */
export type Twin = { readonly relation: 'towers' | 'street'; readonly side: 0 | 1 }

/** Basic facts of a property, from which all others are derived. */
export type Traits = {
  readonly key: number
  readonly place: Place
  readonly n: number
  /** Key used for shared draws: the property's own, or the first twin's. */
  readonly rootKey: number
  readonly twin: Twin | undefined
  readonly country: Country
  readonly setting: Setting
  readonly kind: PropertyKind
  readonly stars: number
  readonly chain: Chain | undefined
}

const KEYS_PER_PLACE = 256
export const toPropertyKey = (sourceId: number, n: number): number => sourceId * KEYS_PER_PLACE + n
export const toSourceId = (key: number): number => Math.floor(key / KEYS_PER_PLACE)
export const toPropertyNumber = (key: number): number => key % KEYS_PER_PLACE

/** Shares of PROPERTY_KINDS (hotel, apartment, hostel, guesthouse, resort), in per cent. */
const KINDS: Record<Setting, readonly number[]> = {
  city: [64, 14, 7, 13, 2],
  beach: [44, 16, 4, 14, 22],
  mountain: [50, 14, 5, 25, 6],
  village: [46, 9, 3, 38, 4],
}

// biome-ignore format: a table reads better in rows
/** Star classes of each kind of property, with shares in per cent. */
const STARS: Record<PropertyKind, readonly (readonly [stars: number, share: number])[]> = {
  hotel: [[1, 4], [2, 13], [2.5, 5], [3, 30], [3.5, 9], [4, 24], [4.5, 5], [5, 10]],
  apartment: [[2.5, 10], [3, 40], [3.5, 20], [4, 25], [4.5, 5]],
  hostel: [[1, 55], [1.5, 20], [2, 25]],
  guesthouse: [[1, 8], [2, 34], [2.5, 22], [3, 30], [3.5, 6]],
  resort: [[3, 14], [3.5, 8], [4, 40], [4.5, 14], [5, 24]],
}

const CHAIN_SHARE: Record<PropertyKind, number> = {
  hotel: 0.34,
  apartment: 0.3,
  hostel: 0.3,
  guesthouse: 0,
  resort: 0.4,
}

export function drawTraits(place: Place, n: number, count: number, placeSetting: Setting): Traits {
  const key = toPropertyKey(place.sourceId, n)
  const twin = findTwin(place.sourceId, n, count)
  const rootKey = toPropertyKey(place.sourceId, twin === undefined ? n : n - twin.side)
  const country = findCountry(place.countryCode)
  const setting = drawSetting(place, placeSetting, rootKey)
  const kind = drawKind(setting, twin, rootKey)
  const stars = drawStars(place, kind, twin, rootKey)
  return {
    key,
    place,
    n,
    rootKey,
    twin,
    country,
    setting,
    kind,
    stars,
    chain: drawChain(country, kind, stars, { twin, rootKey, rural: isRural(place) }),
  }
}

export function findTwin(sourceId: number, n: number, count: number): Twin | undefined {
  const first = n - (n % 2)
  if (count < 8 || first + 1 >= count) return undefined
  const draw = hashShare(sourceId, first, ASPECT.pair)
  if (draw >= 0.06) return undefined
  return { relation: draw < 0.03 ? 'towers' : 'street', side: n === first ? 0 : 1 }
}

/** In a big town by the sea, half of the properties do not see the water. */
function drawSetting(place: Place, setting: Setting, rootKey: number): Setting {
  const big = place.population > 300_000
  return setting === 'beach' && big && hashShare(rootKey, ASPECT.setting) < 0.55 ? 'city' : setting
}

function drawKind(setting: Setting, twin: Twin | undefined, rootKey: number): PropertyKind {
  if (twin?.relation === 'street') return 'hotel'
  if (twin?.relation === 'towers') return setting === 'beach' ? 'resort' : 'hotel'
  const shares = KINDS[setting].map((weight, i): readonly [PropertyKind, number] => [itemAt(PROPERTY_KINDS, i), weight])
  return pickWeighted(shares, hashShare(rootKey, ASPECT.kind))
}

/** Villages have small properties; five stars and chains are rare there unless the place is famous. */
const isRural = (place: Place) => place.population < 15_000 && findDestination(place.sourceId) === undefined

function drawStars(place: Place, kind: PropertyKind, twin: Twin | undefined, rootKey: number): number {
  if (twin?.relation === 'towers') return 4 + (hash(rootKey, ASPECT.stars) % 3) / 2
  const stars = pickWeighted(STARS[kind], hashShare(rootKey, ASPECT.stars))
  const tooGrand = stars > 4 && isRural(place) && hashShare(rootKey, ASPECT.stars, 1) < 0.85
  return tooGrand ? stars - 1.5 : stars
}

function drawChain(
  country: Country,
  kind: PropertyKind,
  stars: number,
  { twin, rootKey, rural }: { readonly twin: Twin | undefined; readonly rootKey: number; readonly rural: boolean },
): Chain | undefined {
  const likely = CHAIN_SHARE[kind] * (rural ? 0.25 : 1)
  if (twin?.relation !== 'street' && hashShare(rootKey, ASPECT.chain) >= likely) return undefined
  return pickChain(country.style, kind, stars, hash(rootKey, ASPECT.chain, 1))
}

function pickWeighted<T>(table: readonly (readonly [T, number])[], draw: number): T {
  const total = table.reduce((sum, [, weight]) => sum + weight, 0)
  let left = draw * total
  for (const [value, weight] of table) {
    left -= weight
    if (left < 0) return value
  }
  return itemAt(table, 0)[0]
}

const MOUNTAIN_COUNTRIES = new Set(['CH', 'AT', 'LI', 'AD', 'NP', 'BT', 'KG', 'TJ', 'LS', 'BO', 'AM', 'GE'])

/** Setting that the place is known for; otherwise derived from its size and distance to the sea. */
export function classifyPlace(place: Place, bySea: boolean): Setting {
  const known = findDestination(place.sourceId)?.setting
  if (known !== undefined) return known
  if (bySea && Math.abs(place.point.lat) < 47) return 'beach'
  if (place.population > 60_000) return 'city'
  const alpine = MOUNTAIN_COUNTRIES.has(place.countryCode) ? 0.6 : 0
  return hashShare(place.sourceId, ASPECT.setting) < alpine ? 'mountain' : 'village'
}
