import { compareNames } from './compare-names.ts'
import type { MatchTraits } from './match-traits.ts'
import { kindsClash } from './name-words.ts'
import { wordSimilarity } from './word-similarity.ts'

/** One reason for or against, in log-odds. */
export type Evidence = { readonly fact: string; readonly weight: number }

export type Comparison = {
  /** Sum of the evidence: above 0 is more likely than not. */
  readonly odds: number
  readonly evidence: readonly Evidence[]
}

/** Farther apart than this, two vendors do not mean the same building, whatever they call it. */
export const MATCH_RADIUS_KM = 1.1

/** Odds from which two vendor properties are one building. */
export const MATCH_ODDS = 1.5

/** Most houses near a house are other houses. */
const PRIOR = -2.5

const KM_PER_DEGREE = 111.195

/**
 * How likely two vendors' properties are the same building (after Fellegi and Sunter: independent evidence adds up).
 * Undefined when they cannot be: too far apart, nothing in common in the names, or told apart by a number, a tower, a
 * wing. Cheap tests come first, because most neighbours are strangers.
 */
export function compareTraits(a: MatchTraits, b: MatchTraits): Comparison | undefined {
  const km = flatDistanceKm(a, b)
  if (km > MATCH_RADIUS_KM) return undefined
  if (differ(a.name.numbers, b.name.numbers) || differ(a.name.parts, b.name.parts)) return undefined
  if (differ(a.name.sides, b.name.sides)) return undefined
  const samePhone = a.phone !== '' && a.phone === b.phone
  const names = compareNames(a, b)
  if (names.odds <= -5 && !samePhone) return undefined

  const evidence: Evidence[] = []
  const say = (fact: string, weight: number) => {
    if (weight !== 0) evidence.push({ fact, weight: Math.round(weight * 100) / 100 })
  }
  say('neighbours are mostly strangers', PRIOR)
  say(`names ${Math.round(names.similarity * 100)} % alike`, names.odds)
  say(`${Math.round(km * 1000)} m apart`, distanceOdds(km))
  say('number in one name only', a.name.numbers === b.name.numbers ? 0 : -5)
  say('tower, wing or annex in one name only', a.name.parts === b.name.parts ? 0 : -5)
  say('side of town in one name only', a.name.sides === b.name.sides ? 0 : -0.8)
  say('different kinds of house', kindsClash(a.name.kinds, b.name.kinds) ? -4.5 : 0)
  if (a.phone !== '' && b.phone !== '') say(samePhone ? 'same telephone' : 'other telephone', samePhone ? 2.5 : -0.7)
  sayAddress(a, b, say)
  sayStars(a, b, say)
  if (a.chain.length > 0 && b.chain.length > 0) {
    const same = a.chain.some((word) => b.chain.some((other) => wordSimilarity(word, other) > 0))
    say(same ? 'same chain' : 'other chain', same ? 0.4 : -1.5)
  }
  return { odds: evidence.reduce((sum, { weight }) => sum + weight, 0), evidence }
}

type Say = (fact: string, weight: number) => void

function sayAddress(a: MatchTraits, b: MatchTraits, say: Say): void {
  if (a.street.length > 0 && b.street.length > 0) {
    const alike = a.street.some((word) => b.street.some((other) => wordSimilarity(word, other) > 0))
    const numbered = a.houseNumber !== '' && b.houseNumber !== ''
    if (!alike) say('other street', -0.7)
    else if (!numbered) say('same street', 0.5)
    else if (a.houseNumber === b.houseNumber) say('same street and house number', 1.6)
    else say('same street, other house number', -0.8)
  }
  if (a.postalCode !== '' && b.postalCode !== '') {
    const same = a.postalCode === b.postalCode
    say(same ? 'same postal code' : 'other postal code', same ? 0.3 : -0.4)
  }
}

function sayStars(a: MatchTraits, b: MatchTraits, say: Say): void {
  if (a.stars === 0 || b.stars === 0) return
  const apart = Math.abs(a.stars - b.stars)
  if (apart <= 0.5) say('same stars', 0.3)
  else if (apart > 1.5) say(`${apart} stars apart`, -1.5)
  else if (apart > 1) say(`${apart} stars apart`, -0.6)
}

/** Both say something, and not the same. */
const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b

const DISTANCE_ODDS: readonly (readonly [km: number, odds: number])[] = [
  [0, 2.3],
  [0.03, 2.2],
  [0.1, 1.6],
  [0.25, 0.6],
  [0.5, -0.6],
  [1.1, -3],
]

const distanceOdds = (km: number) => onLine(DISTANCE_ODDS, km)

/** Straight lines between the points of a table that rises in its first column. */
export function onLine(table: readonly (readonly [number, number])[], x: number): number {
  let [x0, y0] = table[0] ?? [0, 0]
  for (const [x1, y1] of table) {
    if (x <= x1) return x1 === x0 ? y1 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)
    x0 = x1
    y0 = y1
  }
  return y0
}

/** Good to a metre at this range, and several times cheaper than the great circle. */
function flatDistanceKm(a: MatchTraits, b: MatchTraits): number {
  const dLat = a.lat - b.lat
  if (Math.abs(dLat) * KM_PER_DEGREE > MATCH_RADIUS_KM) return Number.POSITIVE_INFINITY
  const span = Math.abs(a.lon - b.lon)
  const dLon = Math.min(span, 360 - span) * Math.cos((a.lat * Math.PI) / 180)
  return Math.sqrt(dLat * dLat + dLon * dLon) * KM_PER_DEGREE
}

/** Odds as a number between 0 and 1. */
export const scoreOf = (odds: number): number => 1 / (1 + Math.exp(-odds))
