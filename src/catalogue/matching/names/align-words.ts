import { isFlat, type MatchTraits } from '../match-traits.ts'
import type { WordWeights } from './local-words.ts'
import { CENTRE } from './name-tables.ts'
import { isAbbreviation, wordSimilarity } from './word-similarity.ts'

type Alignment = {
  /** Weight of the words that both names have. */
  readonly shared: number
  readonly sharedWords: number
  readonly onlyA: number
  readonly onlyB: number
  /** How much each name has that the other has not, on the side that has less. Here a common word tells more. */
  readonly both: number
  /** For every word whether it has no partner. */
  readonly leftA: readonly boolean[]
  readonly leftB: readonly boolean[]
}

/** What is missing from a name that was cut off counts this much. */
const AFTER_CUT = 0.3
/** A chain's name may stand for several properties of a town. */
const CHAIN_MAX = 0.75
const DISTINCT = 0.6
const SLOGAN = 0.4
const WRITTEN_TOGETHER = 0.97
const ABBREVIATED = 0.92
/** The word that makes the name is seldom abbreviated: "HOTEL SOL" is hardly "Hotel Solana". */
const ABBREVIATED_ALONE = 0.75
/** Names that share this much have another word in common than the abbreviated one. */
const NAMED = 0.7
const CUT_WORD = 0.9
/** The flats of one owner share the address and the telephone, so their names tell more: "Apartment Maria", "Apartment Mario". */
const FLATS_ALIKE = 0.85
const BETWEEN_FLATS = 1.2

type Side = {
  readonly words: readonly string[]
  readonly weights: readonly number[]
  readonly taken: boolean[]
  /** How many words come before a dash. */
  readonly main: number
}

/** Finds for every word of one name its partner in the other; city words and words of the chain count little. */
export function alignWords(a: MatchTraits, b: MatchTraits, weightsOf: WordWeights): Alignment {
  const x = sideOf(a, b, weightsOf)
  const y = sideOf(b, a, weightsOf)
  const sum = { shared: 0, sharedWords: 0, onlyA: 0, onlyB: 0, both: 0 }
  const pairUp = (similarityOf: (word: string, other: string) => number) => {
    for (let i = 0; i < x.words.length; i += 1) {
      if (x.taken[i]) continue
      const { at, similarity } = closest(x.words[i] ?? '', y, similarityOf)
      if (at === -1) continue
      share(x, [i], y, [at], similarity)
    }
  }
  const share = (one: Side, i: number[], other: Side, j: number[], similarity: number) => {
    const weightOf = (side: Side, at: number[]) => Math.max(...at.map((n) => side.weights[n] ?? 0))
    const weight = Math.max(weightOf(one, i), weightOf(other, j))
    for (const n of i) one.taken[n] = true
    for (const n of j) other.taken[n] = true
    sum.shared += weight * similarity
    if (weight > 0) sum.sharedWords += 1
    sum.onlyA += weight * (1 - similarity)
    sum.onlyB += weight * (1 - similarity)
    sum.both += weight * (1 - similarity)
  }
  pairUp((word, other) => (word === other ? 1 : 0))
  if (sum.shared === 0 || hasLeft(x) || hasLeft(y)) {
    pairTogether(x, y, share)
    pairTogether(y, x, share)
    const least = isFlat(a) && isFlat(b) ? FLATS_ALIKE : 0
    pairUp((word, other) => atLeast(least, wordSimilarity(word, other)))
    if (a.name.capitals || b.name.capitals) {
      const similarity = sum.shared < NAMED ? ABBREVIATED_ALONE : ABBREVIATED
      pairUp((word, other) => (isAbbreviation(word, other) ? similarity : 0))
      pairInitials(x, y, share)
      pairInitials(y, x, share)
    }
    if (a.name.cut !== b.name.cut) pairCutWord(a.name.cut ? x : y, a.name.cut ? y : x, share)
  }
  sum.onlyA += leftOver(x) * (b.name.cut ? AFTER_CUT : 1)
  sum.onlyB += leftOver(y) * (a.name.cut ? AFTER_CUT : 1)
  const both = bothLeft(x, y, isFlat(a) && isFlat(b))
  return { ...sum, both: sum.both + both, leftA: x.taken.map((taken) => !taken), leftB: y.taken.map((taken) => !taken) }
}

function sideOf(one: MatchTraits, other: MatchTraits, weightsOf: WordWeights): Side {
  const own = weightsOf(one)
  const { words } = one.name
  const weights = words.map((word, at) => {
    if (one.city.has(word) || other.city.has(word)) return 0
    return one.chain.includes(word) || other.chain.includes(word) ? Math.min(own[at] ?? 1, CHAIN_MAX) : (own[at] ?? 1)
  })
  return { words, weights, taken: weights.map((weight) => weight === 0), main: one.name.main }
}

const atLeast = (least: number, similarity: number): number => (similarity < least ? 0 : similarity)

const hasLeft = (side: Side): boolean => side.taken.includes(false)

function leftOver({ taken, weights }: Side): number {
  let sum = 0
  for (const [at, weight] of weights.entries()) if (!taken[at]) sum += weight
  return sum
}

/**
 * A brand or slogan after a dash does not contradict what the other name has more, unless that stands after a dash too.
 * In the name of a flat, what follows the dash may say which flat it is.
 */
function bothLeft(x: Side, y: Side, areFlats: boolean): number {
  if (areFlats) return Math.min(distinction(x, 1), distinction(y, 1)) * BETWEEN_FLATS
  const left = Math.min(distinction(x), distinction(y))
  return isSlogan(x) === isSlogan(y) ? left : left * SLOGAN
}

const isSlogan = ({ taken, main }: Side): boolean => main < taken.length && taken.indexOf(false) >= main

/** A quarter or a landmark tells little about a property, but two different ones tell two properties of a chain. */
function distinction({ taken, weights, words }: Side, least = DISTINCT): number {
  let sum = 0
  for (const [at, weight] of weights.entries()) {
    if (!taken[at]) sum += CENTRE.has(words[at] ?? '') ? weight : Math.max(weight, least)
  }
  return sum
}

function closest(word: string, { words, taken }: Side, similarityOf: (word: string, other: string) => number) {
  let at = -1
  let similarity = 0
  for (let i = 0; i < words.length; i += 1) {
    if (taken[i]) continue
    const found = similarityOf(word, words[i] ?? '')
    if (found > similarity) {
      similarity = found
      at = i
    }
  }
  return { at, similarity }
}

type Share = (one: Side, i: number[], other: Side, j: number[], similarity: number) => void

/** "Rilke Platz" and "Rilkeplatz". */
function pairTogether(x: Side, y: Side, share: Share): void {
  for (let i = 0; i + 1 < x.words.length; i += 1) {
    if (x.taken[i] || x.taken[i + 1]) continue
    const together = `${x.words[i]}${x.words[i + 1]}`
    const at = y.words.findIndex((word, j) => !y.taken[j] && word === together)
    if (at !== -1) share(x, [i, i + 1], y, [at], WRITTEN_TOGETHER)
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

/** The last word of a name that was cut off may be the beginning of a word. */
function pairCutWord(cut: Side, whole: Side, share: Share): void {
  const last = cut.words.length - 1
  if (cut.taken[last]) return
  const at = whole.words.findIndex((word, j) => !whole.taken[j] && word.startsWith(cut.words[last] ?? ' '))
  if (at !== -1) share(cut, [last], whole, [at], CUT_WORD)
}
