import { LRUCache } from 'lru-cache'

type Some = NonNullable<unknown>

/**
 * The limit of an lru-cache. Its own `max` reserves the memory of all entries at once: ten milliseconds for 20,000, at every
 * start. Counted as a size, entries take memory as they come.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })

/** Keeps what `make` gives for a key, for the `max` keys that were asked for last. */
export function remember<K extends Some, V extends Some>(max: number, make: (key: K) => V): (key: K) => V {
  const known = new LRUCache<K, V>({ ...atMost(max), memoMethod: (key) => make(key) })
  return (key) => known.memo(key)
}
