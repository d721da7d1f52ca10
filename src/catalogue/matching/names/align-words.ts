import { isFlat, type MatchTraits } from '../match-traits.ts'
import { arabicSimilarity } from './arabic-words.ts'
import { isBrand, isGradeOf } from './brands.ts'
import type { WordWeights } from './local-words.ts'
import { CENTRE } from './name-tables.ts'
import { isPartOfCity } from './name-words.ts'
import { isAbbreviation, wordSimilarity } from './word-similarity.ts'

type Alignment = {
  /** Weight of the shared words. */
  readonly shared: number
  readonly sharedWords: number
  /** The most distinctive shared word. */
  readonly best: number
  readonly onlyA: number
  readonly onlyB: number
  /** The smaller of both sides' unmatched weight. Common words weigh more here. */
  readonly both: number
  /** One side is only a brand. */
  readonly bare: boolean
  /** True for each word without a partner. */
  readonly leftA: readonly boolean[]
  readonly leftB: readonly boolean[]
}

/** Factor for words missing from a truncated name. */
const AFTER_CUT = 0.3
/** A chain may have several properties in a town. */
const CHAIN_MAX = 0.75
const DISTINCT = 0.6
const SLOGAN = 0.4
/** "Palm Resorts - Lagoon Hotel" is not "Palm Resorts". */
const OTHER_PROPERTY = 2
const WRITTEN_TOGETHER = 0.97
const ABBREVIATED = 0.92
/** The main word is rarely abbreviated: "HOTEL SOL" is hardly "Hotel Solana". */
const ABBREVIATED_ALONE = 0.75
/** Names that share this much have another word in common besides the abbreviated one. */
const NAMED = 0.7
const CUT_WORD = 0.9
/** Share of an abbreviation's dissimilarity that counts as a contradiction. */
const ABBREVIATION_DOUBT = 0.3
const BRAND_GRADE = 0.8
/** Flats of one owner share address and telephone, so names matter more: "Apartment Maria", "Apartment Mario". */
const FLATS_ALIKE = 0.85
const BETWEEN_FLATS = 1.2

type Side = {
  readonly words: readonly string[]
  readonly weights: readonly number[]
  readonly taken: boolean[]
  /** Number of words before a dash. */
  readonly main: number
  readonly by: number
  readonly compound: boolean
}

/** Pairs the words of two names; city and chain words weigh little. */
export function alignWords(a: MatchTraits, b: MatchTraits, weighWords: WordWeights): Alignment {
  const x = createSide(a, b, weighWords)
  const y = createSide(b, a, weighWords)
  let doubt = 1
  const sum = { shared: 0, sharedWords: 0, best: 0, onlyA: 0, onlyB: 0, both: 0 }
  const pairUp = (measure: (word: string, other: string) => number) => {
    for (let i = 0; i < x.words.length; i += 1) {
      if (x.taken[i]) continue
      const { index, similarity } = closest(x.words[i] ?? '', y, measure)
      if (index === -1) continue
      share(x, [i], y, [index], similarity)
    }
  }
  const share = (left: Side, i: number[], right: Side, j: number[], similarity: number) => {
    const maxWeight = (side: Side, indices: number[]) => Math.max(...indices.map((n) => side.weights[n] ?? 0))
    const weight = Math.max(maxWeight(left, i), maxWeight(right, j))
    for (const n of i) left.taken[n] = true
    for (const n of j) right.taken[n] = true
    sum.shared += weight * similarity
    if (weight > 0) sum.sharedWords += 1
    sum.best = Math.max(sum.best, weight)
    sum.onlyA += weight * (1 - similarity)
    sum.onlyB += weight * (1 - similarity)
    sum.both += weight * (1 - similarity) * doubt
  }
  pairUp((word, other) => (word === other || (CENTRE.has(word) && CENTRE.has(other)) ? 1 : 0))
  if (sum.shared === 0 || hasLeft(x) || hasLeft(y)) {
    const arabic = a.name.arabic || b.name.arabic
    pairTogether(x, y, arabic, share)
    pairTogether(y, x, arabic, share)
    const least = isFlat(a) && isFlat(b) ? FLATS_ALIKE : 0
    if (arabic) pairUp(arabicSimilarity)
    pairUp((word, other) => (isGradeOf(word, other) ? BRAND_GRADE : 0))
    const mayAbbreviate = a.name.capitals || b.name.capitals
    pairUp((word, other) =>
      mayAbbreviate && isAbbreviation(word, other) ? 0 : atLeast(least, wordSimilarity(word, other)),
    )
    if (mayAbbreviate) {
      if (sum.shared >= NAMED) doubt = ABBREVIATION_DOUBT
      const similarity = sum.shared < NAMED ? ABBREVIATED_ALONE : ABBREVIATED
      pairUp((word, other) => (isAbbreviation(word, other) ? similarity : 0))
      pairInitials(x, y, share)
      pairInitials(y, x, share)
    }
    if (a.name.cut !== b.name.cut) pairCutWord(a.name.cut ? x : y, a.name.cut ? y : x, share)
  }
  sum.onlyA += unmatchedWeight(x) * (b.name.cut ? AFTER_CUT : 1)
  sum.onlyB += unmatchedWeight(y) * (a.name.cut ? AFTER_CUT : 1)
  const both = bothLeft(x, y, isFlat(a) && isFlat(b))
  return {
    ...sum,
    both: sum.both + both,
    bare: isBare(x) || isBare(y),
    leftA: x.taken.map((taken) => !taken),
    leftB: y.taken.map((taken) => !taken),
  }
}

function createSide(own: MatchTraits, other: MatchTraits, weighWords: WordWeights): Side {
  const ownWeights = weighWords.weigh(own)
  const { words } = own.name
  const weights = words.map((word, index) => {
    if (own.city.has(word) || other.city.has(word)) return 0
    if (own.name.capitals && !isBrand(word) && isPartOfCity(word, other.city)) return 0
    const weight = ownWeights[index] ?? 1
    return own.chain.includes(word) || other.chain.includes(word) ? Math.min(weight, CHAIN_MAX) : weight
  })
  return {
    words,
    weights,
    taken: weights.map((weight) => weight === 0),
    main: own.name.main,
    by: own.name.by,
    compound: own.name.compound,
  }
}

const atLeast = (least: number, similarity: number): number => (similarity < least ? 0 : similarity)

const isBare = ({ words, weights }: Side): boolean =>
  words.some(isBrand) && words.every((word, index) => isBrand(word) || weights[index] === 0)

const hasLeft = (side: Side): boolean => side.taken.includes(false)

/** A slogan, an operator, or the resort before a dash weighs little if the rest of the name is matched. */
function unmatchedWeight({ taken, weights, main, by, compound }: Side): number {
  const split = Math.min(main, by)
  let before = 0
  let after = 0
  for (const [index, weight] of weights.entries()) {
    if (taken[index]) continue
    if (index < split) before += weight
    else after += weight
  }
  const isSplit = split > 0 && split < taken.length
  if (isSplit && before === 0 && after > 0 && compound) return after + OTHER_PROPERTY
  return isSplit && (before === 0 || after === 0) ? (before + after) * SLOGAN : before + after
}

/** Text after a dash is often a slogan, which does not contradict the other name. In a flat's name it may identify the flat. */
function bothLeft(x: Side, y: Side, areFlats: boolean): number {
  if (areFlats) return Math.min(distinction(x, 1), distinction(y, 1)) * BETWEEN_FLATS
  const left = Math.min(distinction(x), distinction(y))
  return placeOfRest(x) === placeOfRest(y) ? left : left * SLOGAN
}

/** Position of the first unmatched word. */
function placeOfRest({ taken, main, by }: Side): 'name' | 'slogan' | 'operator' {
  const first = taken.indexOf(false)
  if (first >= by) return 'operator'
  return first >= main ? 'slogan' : 'name'
}

/** A quarter or landmark says little about a property, but two different ones mean two properties of a chain. */
function distinction({ taken, weights, words }: Side, least = DISTINCT): number {
  let sum = 0
  for (const [index, weight] of weights.entries()) {
    if (!taken[index]) sum += CENTRE.has(words[index] ?? '') ? weight / 2 : Math.max(weight, least)
  }
  return sum
}

function closest(word: string, { words, taken }: Side, measure: (word: string, other: string) => number) {
  let index = -1
  let similarity = 0
  for (let i = 0; i < words.length; i += 1) {
    if (taken[i]) continue
    const found = measure(word, words[i] ?? '')
    if (found > similarity) {
      similarity = found
      index = i
    }
  }
  return { index, similarity }
}

type Share = (left: Side, i: number[], right: Side, j: number[], similarity: number) => void

/** "Rilke Platz" and "Rilkeplatz". */
function pairTogether(x: Side, y: Side, arabic: boolean, share: Share): void {
  for (let i = 0; i + 1 < x.words.length; i += 1) {
    if (x.taken[i] || x.taken[i + 1]) continue
    const together = `${x.words[i]}${x.words[i + 1]}`
    const index = y.words.findIndex(
      (word, j) => !y.taken[j] && (word === together || (arabic && arabicSimilarity(word, together) > 0)),
    )
    if (index !== -1) share(x, [i, i + 1], y, [index], WRITTEN_TOGETHER)
  }
}

/** "WTC" and "World Trade Center". */
function pairInitials(x: Side, y: Side, share: Share): void {
  for (const [i, word] of x.words.entries()) {
    if (x.taken[i] || word.length < 2 || word.length > 4) continue
    for (let j = 0; j + word.length <= y.words.length; j += 1) {
      const span = Array.from(word, (_, n) => j + n)
      if (span.every((n) => !y.taken[n] && y.words[n]?.[0] === word[n - j])) {
        share(x, [i], y, span, ABBREVIATED)
        break
      }
    }
  }
}

/** The last word of a truncated name may be incomplete. */
function pairCutWord(cut: Side, whole: Side, share: Share): void {
  const last = cut.words.length - 1
  if (cut.taken[last]) return
  const index = whole.words.findIndex((word, j) => !whole.taken[j] && word.startsWith(cut.words[last] ?? ' '))
  if (index !== -1) share(cut, [last], whole, [index], CUT_WORD)
}
