import { createEarthGrid } from '../../index/earth-grid.ts'
import type { MatchTraits } from '../match-traits.ts'
import { isBrand } from './brands.ts'
import { CENTRE, COMMON, SIDE } from './name-tables.ts'

/** Weight of each word of a name, in order. */
export type WordWeights = (traits: MatchTraits) => readonly number[]

/** Cells of a few kilometres: a town. */
const towns = createEarthGrid(0.05)

const OWN = 1
const BRAND_MAX = 0.85
const COMMON_MAX = 0.6
const SIDE_MAX = 0.35
const CENTRE_MAX = 0.2

/** Weight by number of the vendor's properties nearby that have the word. */
const BY_COUNT = [OWN, OWN, 0.9, 0.75, 0.6, 0.55, 0.45, 0.45, 0.4]
const FREQUENT = 0.35

/** Without neighbours, every word that is not common everywhere is distinctive. */
export const weightsAlone: WordWeights = ({ name }) => name.words.map((word) => weigh(word, 1))

/** Counts words in each town, which separates distinctive names ("Atala") from quarters and landmarks ("Opéra") in any language. */
export function weighLocally(nodes: readonly { readonly traits: MatchTraits }[]): WordWeights {
  const counts = new Map<number, Map<string, Map<string, number>>>()
  for (const { traits } of nodes) {
    const words = getOrAdd(getOrAdd(counts, towns.findCell(traits)), traits.vendorId)
    for (const word of traits.name.words) words.set(word, (words.get(word) ?? 0) + 1)
  }
  const cache = new Map<MatchTraits, readonly number[]>()
  return (traits) => {
    let weights = cache.get(traits)
    if (weights === undefined) {
      const townCounts = counts.get(towns.findCell(traits))
      weights = traits.name.words.map((word) => weigh(word, highestCount(word, townCounts)))
      cache.set(traits, weights)
    }
    return weights
  }
}

/** Highest number of properties with the word among the vendors. */
function highestCount(word: string, byVendor: ReadonlyMap<string, ReadonlyMap<string, number>> | undefined): number {
  let highest = 1
  for (const words of byVendor?.values() ?? []) highest = Math.max(highest, words.get(word) ?? 0)
  return highest
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
