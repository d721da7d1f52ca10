import { compareTraits, MATCH_ODDS } from './compare-traits.ts'
import type { MatchTraits } from './match-traits.ts'
import { compareNames } from './names/compare-names.ts'
import { clash } from './names/name-clash.ts'
import { kindsClash } from './names/name-words.ts'

/** Surer than for two vendors, because two entries of one vendor are usually two properties. */
const TWIN_ODDS = MATCH_ODDS + 1

/** Whether two entries of one vendor are one property that it lists twice: nothing in the names tells them from each other. */
export function areTwins(a: MatchTraits, b: MatchTraits): boolean {
  const found = compareTraits(a, b)
  return found !== undefined && found.odds >= TWIN_ODDS && compareNames(a, b).equal
}

/** Names of which each has something that the other has not; no third name can make them one. */
export function areDistinct(a: MatchTraits, b: MatchTraits): boolean {
  return clash(a, b) || kindsClash(a.name.kinds, b.name.kinds) < -4 || compareNames(a, b).odds < -4
}
