import type { MatchTraits } from './match-traits.ts'
import { pairSimilarity, wordSimilarity } from './word-similarity.ts'

export type NameComparison = { readonly similarity: number; readonly odds: number }

/** How much a word tells: the city and the chain are shared by many houses nearby, a word of its own by few. */
const WEIGHT = { city: 0.2, chain: 0.45, own: 1 } as const

const STRANGERS: NameComparison = { similarity: 0, odds: -6 }

/**
 * Weighs the words two names share against those that only one has. Words missing on one side are common (vendors
 * shorten names); words of their own on both sides mean two houses, however much else they share.
 */
export function compareNames(a: MatchTraits, b: MatchTraits): NameComparison {
  const x = a.name.words
  const y = b.name.words
  if (x.length === 0 || y.length === 0) {
    // "The Hotel" against anything: the name says nothing, neither for nor against when both are empty.
    return x.length === y.length ? { similarity: 0.7, odds: 0 } : { similarity: 0.3, odds: -2 }
  }
  const used = new Set<number>()
  let shared = 0
  let ownShared = 0
  let onlyA = 0
  let onlyB = 0
  for (const word of x) {
    const weight = weightOf(word, a, b)
    const { at, similarity } = closest(word, y, used)
    if (at === -1) onlyA += weight
    else {
      used.add(at)
      shared += weight * similarity
      onlyA += weight * (1 - similarity)
      onlyB += weight * (1 - similarity)
      if (weight === WEIGHT.own) ownShared += similarity
    }
  }
  for (const [at, word] of y.entries()) if (!used.has(at)) onlyB += weightOf(word, a, b)

  const byWords = similarityOf(shared, onlyA, onlyB)
  if (byWords > 0.97) return named(byWords, ownShared)
  if (shared === 0 && a.name.joined.charCodeAt(0) !== b.name.joined.charCodeAt(0)) return STRANGERS
  // "Grand hotel" and "Grandhotel", "Sea View" and "Seaview": letters, without the spaces.
  const byLetters = pairSimilarity(a.name.joined, b.name.joined)
  return byLetters > 0.85 && byLetters > byWords ? named(byLetters * 0.97, 1) : named(byWords, ownShared)
}

function similarityOf(shared: number, onlyA: number, onlyB: number): number {
  const contained = shared / (shared + Math.min(onlyA, onlyB))
  const equal = shared / (shared + onlyA + onlyB)
  return shared === 0 ? 0 : 0.55 * equal + 0.45 * contained
}

function weightOf(word: string, a: MatchTraits, b: MatchTraits): number {
  if (a.city.includes(word) || b.city.includes(word)) return WEIGHT.city
  if (a.chain.includes(word) || b.chain.includes(word)) return WEIGHT.chain
  return WEIGHT.own
}

function closest(word: string, words: readonly string[], used: ReadonlySet<number>) {
  let at = -1
  let similarity = 0
  for (let i = 0; i < words.length; i += 1) {
    if (used.has(i)) continue
    const found = wordSimilarity(word, words[i] ?? '')
    if (found > similarity) {
      similarity = found
      at = i
    }
  }
  return { at, similarity }
}

/** Names that share no word of their own ("Ibis Paris" twice) are worth half: the town may have several. */
function named(similarity: number, ownShared: number): NameComparison {
  const odds = nameOdds(similarity)
  return { similarity, odds: odds > 0 && ownShared < 0.8 ? odds / 2 : odds }
}

function nameOdds(similarity: number): number {
  if (similarity >= 0.85) return 2 + ((similarity - 0.85) / 0.15) * 1.2
  if (similarity >= 0.7) return 0.2 + ((similarity - 0.7) / 0.15) * 1.8
  if (similarity >= 0.5) return -2.5 + ((similarity - 0.5) / 0.2) * 2.7
  return -6 + (similarity / 0.5) * 3.5
}
