import { LRUCache } from 'lru-cache'

type Some = NonNullable<unknown>

/** Limit of an lru-cache by size, because its own `max` allocates all entries up front: 10 ms for 20,000 of them. */
export const lruLimit = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })

/** Caches the results of `make` for the `max` most recently used keys. */
export function memoize<K extends Some, V extends Some>(max: number, make: (key: K) => V): (key: K) => V {
  const cache = new LRUCache<K, V>({ ...lruLimit(max), memoMethod: (key) => make(key) })
  return (key) => cache.memo(key)
}
