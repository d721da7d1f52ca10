import { createEarthGrid } from '../../index/earth-grid.ts'
import type { MatchTraits } from '../match-traits.ts'
import { isBrand } from './brands.ts'
import { CENTRE, COMMON, SIDE } from './name-tables.ts'

export type WordWeights = {
  /** Weight of each word of a name, in order. */
  weigh(traits: MatchTraits): readonly number[]
  /** True if the name has a word that no other property of a vendor in a large enough town has. */
  isRare(traits: MatchTraits): boolean
}

/** Cells of a few kilometres: a town. */
const towns = createEarthGrid(0.05)

const OWN = 1
const BRAND_MAX = 0.85
export const COMMON_MAX = 0.6
const SIDE_MAX = 0.35
const CENTRE_MAX = 0.2

/** Weight by number of the vendor's properties nearby that have the word. */
const BY_COUNT = [OWN, OWN, 0.9, 0.75, 0.6, 0.55, 0.45, 0.45, 0.4]
const FREQUENT = 0.35

/** Without neighbours, every word that is not common everywhere is distinctive. */
export const weightsAlone: WordWeights = {
  weigh: ({ name }) => name.words.map((word) => weigh(word, 1)),
  isRare: () => false,
}

/** In a town of fewer properties every word is rare. */
const TOWN_MIN = 4
const AROUND_KM = 1.5

/** Counts words in each town, which separates distinctive names ("Atala") from quarters and landmarks ("Opéra") in any language. */
export function weighLocally(nodes: readonly { readonly traits: MatchTraits }[]): WordWeights {
  const counts = new Map<number, Map<string, Map<string, number>>>()
  const sizes = new Map<number, Map<string, number>>()
  for (const { traits } of nodes) {
    const town = towns.findCell(traits)
    const size = getOrAdd(sizes, town)
    size.set(traits.vendorId, (size.get(traits.vendorId) ?? 0) + 1)
    const words = getOrAdd(getOrAdd(counts, town), traits.vendorId)
    for (const word of traits.name.words) words.set(word, (words.get(word) ?? 0) + 1)
  }
  const cache = new Map<MatchTraits, readonly number[]>()
  return {
    weigh(traits) {
      let weights = cache.get(traits)
      if (weights === undefined) {
        const townCounts = counts.get(towns.findCell(traits))
        weights = traits.name.words.map((word) => weigh(word, highestCount(word, townCounts)))
        cache.set(traits, weights)
      }
      return weights
    },
    isRare(traits) {
      const around = towns.touching({ center: traits, radiusKm: AROUND_KM }, Number.POSITIVE_INFINITY) ?? []
      const isSmall = around.every((town) => Math.max(0, ...(sizes.get(town)?.values() ?? [])) < TOWN_MIN)
      if (isSmall) return false
      return traits.name.words.some(
        (word) =>
          !traits.city.has(word) &&
          !COMMON.has(word) &&
          isAlone(
            word,
            around.map((town) => counts.get(town)),
          ),
      )
    },
  }
}

type ByVendor = ReadonlyMap<string, ReadonlyMap<string, number>> | undefined

/** True if no vendor has two properties with the word. */
function isAlone(word: string, towns: readonly ByVendor[]): boolean {
  const seen = new Map<string, number>()
  for (const byVendor of towns)
    for (const [vendor, words] of byVendor ?? []) seen.set(vendor, (seen.get(vendor) ?? 0) + (words.get(word) ?? 0))
  return [...seen.values()].every((count) => count <= 1)
}

/** Highest number of properties with the word among the vendors. */
function highestCount(word: string, byVendor: ByVendor): number {
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
