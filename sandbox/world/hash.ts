/**
 * Well-mixed 32-bit number from up to three numbers. Everything in the world is drawn from it, so nothing is stored.
 */
export function hash(a: number, b = 0, c = 0): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 15) ^ b, 0xc2b2ae35)
  h = Math.imul(h ^ (h >>> 13) ^ c, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}

/** Hash as a share in [0, 1). */
export const hashShare = (a: number, b = 0, c = 0): number => hash(a, b, c) / 4294967296

export function hashText(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return hash(h)
}

/** Sequence of pseudo-random numbers from one seed (mulberry32). */
export type Random = {
  /** In [0, 1). */
  next(): number
  /** Integer from 0 to `n` - 1. */
  below(n: number): number
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return { ...DRAWS, next }
}

/** Shared by all sequences, because a search creates thousands of them. */
const DRAWS: Omit<Random, 'next'> & ThisType<Random> = {
  below(n) {
    return Math.floor(this.next() * n)
  },
  between(low, high) {
    return low + this.next() * (high - low)
  },
  chance(probability) {
    return this.next() < probability
  },
  pick(items) {
    return itemAt(items, this.below(items.length))
  },
}

/** Item at an index that wraps around. Lists of the world are never empty. */
export function itemAt<T>(items: readonly T[], index: number): T {
  const found = items[index % items.length]
  if (found === undefined) throw new Error('cannot pick from an empty list')
  return found
}

/**
 * Purpose of a draw. Each aspect of a property has its own sequence, so that a new detail in one (another sentence,
 * another room) never changes the others.
 */
export const ASPECT = {
  pair: 1,
  kind: 2,
  stars: 3,
  chain: 4,
  name: 5,
  position: 6,
  address: 7,
  ratings: 8,
  amenities: 9,
  texts: 10,
  rooms: 11,
  policies: 12,
  pictures: 13,
  price: 14,
  promotion: 15,
  coverage: 16,
  view: 17,
  presold: 18,
  setting: 19,
  night: 20,
  habits: 21,
  roomNames: 22,
} as const
