import { LRUCache } from 'lru-cache'

type Some = NonNullable<unknown>

/** Keeps what `make` gives for a key, for the `max` keys that were asked for last. */
export function remember<K extends Some, V extends Some>(max: number, make: (key: K) => V): (key: K) => V {
  const known = new LRUCache<K, V>({ max, memoMethod: (key) => make(key) })
  return (key) => known.memo(key)
}
