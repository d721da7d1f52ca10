import { createEarthGrid } from '../../index/earth-grid.ts'
import type { MatchTraits } from '../match-traits.ts'
import { isBrand } from './brands.ts'
import { CENTRE, COMMON, SIDE } from './name-tables.ts'

/** How much each word of a name tells about a property, in the order of its words. */
export type WordWeights = (traits: MatchTraits) => readonly number[]

/** A square of about eleven kilometres: a town. */
const towns = createEarthGrid(0.05)

const OWN = 1
const BRAND_MAX = 0.85
const COMMON_MAX = 0.6
const SIDE_MAX = 0.35
const CENTRE_MAX = 0.2

/** What a word weighs that so many properties of one vendor have in their names nearby. */
const BY_COUNT = [OWN, OWN, 0.9, 0.75, 0.6, 0.55, 0.45, 0.45, 0.4]
const FREQUENT = 0.35

/** Without neighbours to count, every word that is not common everywhere is a word of its own. */
export const weightsAlone: WordWeights = ({ name }) => name.words.map((word) => weigh(word, 1))

/**
 * Counts the words of the names in each town, because that is what tells a name of its own ("Atala") from a quarter, a
 * chain or a landmark ("Opéra", "Times Square"), in any city and language.
 */
export function weighLocally(nodes: readonly { readonly traits: MatchTraits }[]): WordWeights {
  const counts = new Map<number, Map<string, Map<string, number>>>()
  for (const { traits } of nodes) {
    const words = getOrAdd(getOrAdd(counts, towns.findCell(traits)), traits.vendorId)
    for (const word of traits.name.words) words.set(word, (words.get(word) ?? 0) + 1)
  }
  const known = new Map<MatchTraits, readonly number[]>()
  return (traits) => {
    let weights = known.get(traits)
    if (weights === undefined) {
      const here = counts.get(towns.findCell(traits))
      weights = traits.name.words.map((word) => weigh(word, mostOf(word, here)))
      known.set(traits, weights)
    }
    return weights
  }
}

/** How many properties of the vendor that has most of them have the word. */
function mostOf(word: string, byVendor: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined): number {
  let most = 1
  for (const words of byVendor?.values() ?? []) most = Math.max(most, words.get(word) ?? 0)
  return most
}

function getOrAdd<K, L, V>(map: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let inner = map.get(key)
  if (inner === undefined) {
    inner = new Map()
    map.set(key, inner)
  }
  return inner
}

function weigh(word: string, count: number): number {
  const weight = BY_COUNT[count] ?? FREQUENT
  if (isBrand(word)) return Math.min(weight, BRAND_MAX)
  if (CENTRE.has(word)) return CENTRE_MAX
  if (SIDE.has(word)) return SIDE_MAX
  return COMMON.has(word) ? Math.min(weight, COMMON_MAX) : weight
}
