/**
 * Keeps what `make` gives for a key. Once there are `max`, all are forgotten: keys that come again soon are made again soon, and
 * nothing has to be counted.
 */
export function remember<K, V>(max: number, make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= max) known.clear()
    const made = make(key)
    known.set(key, made)
    return made
  }
}
