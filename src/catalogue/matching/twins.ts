import { compareTraits, MATCH_ODDS } from './compare-traits.ts'
import type { MatchTraits } from './match-traits.ts'
import { compareNames } from './names/compare-names.ts'
import { namesClash } from './names/name-clash.ts'
import { kindPenalty } from './names/name-words.ts'

/** Higher than between vendors, because two entries of one vendor are usually two properties. */
const TWIN_ODDS = MATCH_ODDS + 1

/** True if a vendor lists one property twice: the names do not differ. */
export function areTwins(a: MatchTraits, b: MatchTraits): boolean {
  const found = compareTraits(a, b)
  return found !== undefined && found.odds >= TWIN_ODDS && compareNames(a, b).equal
}

/** True if each name contradicts the other; a third name cannot make them one. */
export function areDistinct(a: MatchTraits, b: MatchTraits): boolean {
  return namesClash(a, b) || kindPenalty(a.name.kinds, b.name.kinds) < -4 || compareNames(a, b).odds < -4
}
