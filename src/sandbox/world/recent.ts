/** Keeps the last `max` things that were asked for; the least recently asked leaves first. */
export function createRecent<Value>(max: number) {
  const entries = new Map<number, Value>()
  return {
    get(key: number): Value | undefined {
      const found = entries.get(key)
      if (found === undefined) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found
    },
    set(key: number, value: Value): void {
      entries.set(key, value)
      if (entries.size <= max) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
  }
}
