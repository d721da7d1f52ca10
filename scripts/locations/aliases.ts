import { distanceKm } from '../../src/lib/geo.ts'
import { foldText } from '../../src/lib/text/fold-text.ts'
import { hanSpellings } from './han-spellings.ts'
import type { Place } from './place.ts'

/** The script in which people of the country write; a name in it is the name itself, not a translation. */
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
/** Scripts that many users write; the others would only make the file larger. */
const COMMON_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Greek}\p{Script=Thai}\p{Script=Devanagari}]/u
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Text beyond the basic plane would sort differently as UTF-8 and as UTF-16. */
const UNSORTABLE = /[\ue000-\uffff\u{10000}-\u{10ffff}]/u

/**
 * The aliases worth carrying, folded. The source does not say which language an alias belongs to, so it is judged by
 * its looks: a small initial is a transcription, three capitals are a code, and one that begins like the name
 * itself is found by the name anyway.
 */
export function chooseAliases(place: Place): string[] {
  const own = foldText(place.name)
  const native = NATIVE_SCRIPTS.find(([countries]) => countries.includes(place.countryCode))?.[1]
  const limit = aliasesMax(place.importance)
  const kept = new Map<string, number>()
  for (const alias of place.aliases) {
    if (/^\p{Ll}/u.test(alias) && LATIN.test(alias)) continue
    if (/^[A-Z]{2,4}$/.test(alias)) continue
    const folded = foldText(alias)
    if (folded.length < 2 || folded.length > 48 || UNSORTABLE.test(folded) || own.startsWith(folded)) continue
    const preference = preferenceOf(folded, own, native, place.importance)
    if (preference > 0 && !kept.has(folded)) kept.set(folded, preference)
  }
  const inOrder = [...kept].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([folded]) => folded)
  // They stand last in the alphabet, where a limit for all scripts would leave them out.
  const eastAsian = inOrder.filter((folded) => EAST_ASIAN.test(folded)).slice(0, eastAsianMax(place.importance))
  return [...new Set([...inOrder.slice(0, limit), ...eastAsian.flatMap(hanSpellings)])]
}

function eastAsianMax(importance: number): number {
  if (importance >= EAST_ASIAN_FROM + 1) return 24
  return importance >= EAST_ASIAN_FROM ? 8 : 0
}

/** The importance from which on a place's names in Chinese, Japanese and Korean are kept: some 15,000 cities. */
const EAST_ASIAN_FROM = 5

function aliasesMax(importance: number): number {
  if (importance >= 7.5) return 100
  if (importance >= 6.3) return 30
  if (importance >= 5.2) return 12
  if (importance >= 4.2) return 5
  return 2
}

/** Zero is unwanted. Native script first, then others', then spellings that the name's own beginning would not find. */
function preferenceOf(folded: string, own: string, native: RegExp | undefined, importance: number): number {
  if (native?.test(folded)) return 5
  if (EAST_ASIAN.test(folded) && importance >= EAST_ASIAN_FROM) return 4.5
  if (!LATIN.test(folded)) return importance >= 5.6 && COMMON_SCRIPT.test(folded) ? 4.5 : 0
  if (folded.startsWith(own)) return importance >= 5.2 ? 1 : 0
  if (folded.slice(0, 3) !== own.slice(0, 3)) return 4
  return 3
}

/**
 * An alias that is some weightier place's own name misleads: "Cancun" for Changchun, "New York" for Jakarta.
 * Answers whether the alias may stay with the place.
 */
export function createAliasJudge(places: readonly Place[]): (folded: string, place: Place) => boolean {
  const owners = new Map<string, Place>()
  for (const place of places) {
    for (const name of [place.name, ...place.names]) {
      const folded = foldText(name)
      const held = owners.get(folded)
      if (held === undefined || held.importance < place.importance) owners.set(folded, place)
    }
  }
  return (folded, place) => {
    const owner = owners.get(folded)
    if (owner === undefined || owner === place) return true
    return owner.importance < place.importance - 2 || distanceKm(owner, place) < 60
  }
}
