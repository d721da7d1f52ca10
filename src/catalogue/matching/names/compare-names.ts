import type { MatchTraits } from '../match-traits.ts'
import { alignWords } from './align-words.ts'
import { interpolateLinear } from './interpolate.ts'
import { COMMON_MAX, type WordWeights, weightsAlone } from './local-words.ts'
import { pairSimilarity } from './word-similarity.ts'

export type NameComparison = {
  readonly similarity: number
  /** With `extra` and `against`. */
  readonly odds: number
  /** Odds of words that one name lacks. */
  readonly extra: number
  /** Odds of words by which each name differs from the other. */
  readonly against: number
  /** Only the spelling differs. */
  readonly equal: boolean
  /** Only places or slogans are added. */
  readonly nearlyEqual: boolean
  /** Neither name contradicts the other. */
  readonly contained: boolean
  /** Equal in at least two words that are unique nearby. */
  readonly unique: boolean
  /** Number of shared distinctive words. */
  readonly sharedWords: number
  /** One is "… at" the other, so it is inside another property. */
  readonly inside: boolean
  /** True for each word that the other name lacks. */
  readonly left: readonly [a: readonly boolean[], b: readonly boolean[]]
}

const NO_RELATION = {
  equal: false,
  nearlyEqual: false,
  contained: false,
  unique: false,
  sharedWords: 0,
  inside: false,
  extra: 0,
  against: 0,
  left: [[], []],
} as const
const UNRELATED: NameComparison = { ...NO_RELATION, similarity: 0, odds: -6 }

/** Odds by weight of the shared words: a distinctive word weighs 1, a quarter or a chain less. */
const SHARED_ODDS: readonly (readonly [number, number])[] = [
  [0, -6],
  [0.2, -1],
  [0.45, 0.6],
  [0.6, 1.2],
  [0.85, 2],
  [1, 2.5],
  [1.5, 2.9],
  [2, 3.2],
]

/** Lower bounds of the shared weight for equal names, and for a name that is part of the other. */
const EQUAL_WORDS = 1.5
const EQUAL_WORD = 0.75
const CONTAINED = 0.4

/** An extra word in one name. Vendors add brands, quarters and slogans. */
const EXTRA_WORD = -0.45
const EXTRA_MIN = -1.6
/** A chain always names the location, and two hotels of one brand are not next door. */
const EXTRA_TO_BRAND = -0.5
const BARE_BRAND = 1
const NAME_ADDED = -0.6
const NEARLY = 0.5
const CITY_NAME = 1.9
const UNIQUE = 1.85
const LETTERS_ALIKE = 0.9
/** Distinctive words on both sides mean two properties, however much else they share. */
const BOTH_EXTRA = -5.5
const ODDS_MIN = -6

/** Weighs shared words against unmatched ones. Vendors shorten and extend names, so words missing on one side say little. */
export function compareNames(a: MatchTraits, b: MatchTraits, weighWords: WordWeights = weightsAlone): NameComparison {
  const byNumber = sharedNumber(a, b)
  if (byNumber !== undefined)
    return { ...NO_RELATION, similarity: 0.8, odds: byNumber, contained: true, sharedWords: 1 }
  if (a.name.words.length === 0 || b.name.words.length === 0) return comparePlainNames(a, b)
  const { shared, best, onlyA, onlyB, both, sharedWords, bare: isBare, leftA, leftB } = alignWords(a, b, weighWords)
  if (both > 0.1 && firstLetterLeft(a, leftA) === firstLetterLeft(b, leftB)) {
    const byLetters = pairSimilarity(lettersLeft(a, leftA), lettersLeft(b, leftB))
    if (byLetters > LETTERS_ALIKE)
      return { ...NO_RELATION, similarity: byLetters, odds: 2 + (byLetters - LETTERS_ALIKE) * 10 }
  }
  if (shared === 0) return UNRELATED
  const more = Math.max(onlyA, onlyB)
  const equal = more < 0.05
  const bare = both < 0.05 && isBare
  const least = bare ? BARE_BRAND : equal ? (sharedWords > 1 ? EQUAL_WORDS : EQUAL_WORD) : both < 0.05 ? CONTAINED : 0
  // "International House" and "Seafarers International House": the added word is the name.
  const added = best <= COMMON_MAX && more > COMMON_MAX && (leftA[0] || leftB[0]) ? NAME_ADDED : 0
  const extra = added + Math.max(bare ? EXTRA_TO_BRAND : EXTRA_MIN, more * EXTRA_WORD)
  const alike = interpolateLinear(SHARED_ODDS, Math.max(shared, least)) + extra
  const odds = Math.max(ODDS_MIN, alike + both * BOTH_EXTRA)
  return {
    similarity: shared / (shared + onlyA + onlyB),
    odds,
    extra,
    against: odds - alike,
    equal,
    nearlyEqual: both < 0.05 && more < NEARLY,
    contained: both < 0.05,
    sharedWords,
    unique: equal && shared >= UNIQUE && a.name.brands.length === 0,
    inside: isInside(a, leftA, leftB) || isInside(b, leftB, leftA),
    left: [leftA, leftB],
  }
}

const firstLetterLeft = ({ name }: MatchTraits, left: readonly boolean[]): string | undefined =>
  name.words[left.indexOf(true)]?.[0]

/** Unmatched words without spaces: "Bel Air Mar" and "Belairmar" differ only in those. */
const lettersLeft = ({ name }: MatchTraits, left: readonly boolean[]): string =>
  name.words.filter((_, index) => left[index]).join('')

/** "The Guesthouse", "Hotel 91": names without distinctive words match only if every word is equal. */
function comparePlainNames(a: MatchTraits, b: MatchTraits): NameComparison {
  const inCity = equalsCity(a, b) || equalsCity(b, a)
  if (inCity) return { ...NO_RELATION, similarity: 1, odds: CITY_NAME, equal: true, contained: true, sharedWords: 1 }
  const bothPlain = a.name.words.length === b.name.words.length
  if (bothPlain && a.name.plain === b.name.plain && a.name.plain !== '')
    return { ...NO_RELATION, similarity: 1, odds: 1.4, equal: true, contained: true }
  return { ...NO_RELATION, similarity: 0.3, odds: bothPlain ? -1 : -3 }
}

/** "Hotel Corona" of a vendor that knows the city Corona, and of one that says Queens. */
const equalsCity = (a: MatchTraits, b: MatchTraits): boolean =>
  a.name.words.length === 0 && a.name.cityWords.length > 0 && a.name.cityWords.join(' ') === b.name.words.join(' ')

/** "1900" and "Hotel 1900 @ Chinatown": the number is the name. */
function sharedNumber(a: MatchTraits, b: MatchTraits): number | undefined {
  if (a.name.numbers.length === 0 || a.name.numbers.join() !== b.name.numbers.join()) return undefined
  const isOnlyNumber = ({ name: { words } }: MatchTraits) => words.every((word) => /^\d\d+$/.test(word))
  if (isOnlyNumber(a) === isOnlyNumber(b)) return undefined
  const { words, brands } = isOnlyNumber(a) ? b.name : a.name
  return brands.length > 0 || words.length > 2 ? undefined : CITY_NAME + words.length * EXTRA_WORD
}

/** "The Level at Grand Hotel" against "Grand Hotel": all unmatched words are before "at". */
const isInside = (
  { name: { inside } }: MatchTraits,
  left: readonly boolean[],
  leftOther: readonly boolean[],
): boolean =>
  inside > 0 &&
  inside < left.length &&
  left.indexOf(true) !== -1 &&
  left.lastIndexOf(true) < inside &&
  !leftOther.includes(true)
