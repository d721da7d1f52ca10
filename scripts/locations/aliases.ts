import { distanceKm } from '../../src/lib/geo.ts'
import { foldText } from '../../src/lib/text/fold-text.ts'
import { listHanSpellings } from './han-spellings.ts'
import type { Place } from './place.ts'

/** Native scripts by country. A name in such a script is the name itself, not a translation. */
const NATIVE_SCRIPTS: readonly [string, RegExp][] = [
  ['RU BY UA BG RS MK MN KZ KG TJ ME BA', /\p{Script=Cyrillic}/u],
  ['JP CN TW HK MO SG', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['KR KP', /\p{Script=Hangul}/u],
  ['GR CY', /\p{Script=Greek}/u],
  ['IL', /[\p{Script=Hebrew}\p{Script=Arabic}]/u],
  ['EG MA TN DZ LY SA AE QA KW BH OM YE IQ SY JO LB PS SD IR AF PK', /\p{Script=Arabic}/u],
  ['TH', /\p{Script=Thai}/u],
  ['IN NP', /\p{Script=Devanagari}/u],
  ['GE', /\p{Script=Georgian}/u],
  ['AM', /\p{Script=Armenian}/u],
]
const LATIN = /^\p{Script=Latin}/u
/** Scripts that many users write; others would only make the file larger. */
const COMMON_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Greek}\p{Script=Thai}\p{Script=Devanagari}]/u
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Text beyond the basic plane sorts differently as UTF-8 and as UTF-16. */
const UNSORTABLE = /[\ue000-\uffff\u{10000}-\u{10ffff}]/u

/**
 * The aliases to keep, folded. The source has no language of an alias, so its form decides: a lower-case initial is a
 * transcription, three capitals are a code, and one that starts like the name itself is found by the name anyway.
 */
export function chooseAliases(place: Place): string[] {
  const own = foldText(place.name)
  const nativeScript = NATIVE_SCRIPTS.find(([countries]) => countries.includes(place.countryCode))?.[1]
  const limit = aliasesMax(place.importance)
  const kept = new Map<string, number>()
  for (const alias of place.aliases) {
    if (/^\p{Ll}/u.test(alias) && LATIN.test(alias)) continue
    if (/^[A-Z]{2,4}$/.test(alias)) continue
    const folded = foldText(alias)
    if (folded.length < 2 || folded.length > 48 || UNSORTABLE.test(folded) || own.startsWith(folded)) continue
    const preference = rankAlias(folded, own, nativeScript, place.importance)
    if (preference > 0 && !kept.has(folded)) kept.set(folded, preference)
  }
  const inOrder = [...kept].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([folded]) => folded)
  // They sort last, where a limit for all scripts would drop them.
  const eastAsian = inOrder.filter((folded) => EAST_ASIAN.test(folded)).slice(0, eastAsianMax(place.importance))
  return [...new Set([...inOrder.slice(0, limit), ...eastAsian.flatMap(listHanSpellings)])]
}

function eastAsianMax(importance: number): number {
  if (importance >= EAST_ASIAN_FROM + 1) return 24
  return importance >= EAST_ASIAN_FROM ? 8 : 0
}

/** Minimum importance for Chinese, Japanese and Korean names: some 15,000 cities. */
const EAST_ASIAN_FROM = 5

function aliasesMax(importance: number): number {
  if (importance >= 7.5) return 100
  if (importance >= 6.3) return 30
  if (importance >= 5.2) return 12
  if (importance >= 4.2) return 5
  return 2
}

/**
 * Zero drops the alias. Native script first, then other scripts, then spellings that a prefix of the name would not
 * find.
 */
function rankAlias(folded: string, own: string, nativeScript: RegExp | undefined, importance: number): number {
  if (nativeScript?.test(folded)) return 5
  if (EAST_ASIAN.test(folded) && importance >= EAST_ASIAN_FROM) return 4.5
  if (!LATIN.test(folded)) return importance >= 5.6 && COMMON_SCRIPT.test(folded) ? 4.5 : 0
  if (folded.startsWith(own)) return importance >= 5.2 ? 1 : 0
  if (folded.slice(0, 3) !== own.slice(0, 3)) return 4
  return 3
}

/**
 * An alias that is the own name of a more important place is misleading: "Cancun" for Changchun, "New York" for
 * Jakarta. The returned function is true if the place may keep the alias.
 */
export function createAliasJudge(places: readonly Place[]): (folded: string, place: Place) => boolean {
  const owners = new Map<string, Place>()
  for (const place of places) {
    for (const name of [place.name, ...place.names]) {
      const folded = foldText(name)
      const current = owners.get(folded)
      if (current === undefined || current.importance < place.importance) owners.set(folded, place)
    }
  }
  return (folded, place) => {
    const owner = owners.get(folded)
    if (owner === undefined || owner === place) return true
    return owner.importance < place.importance - 2 || distanceKm(owner, place) < 60
  }
}
