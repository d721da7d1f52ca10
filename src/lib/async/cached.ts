import type { Clock } from '../time/clock.ts'

/** Shares one result between all calls within `ms`. Failures are not cached. */
export function cachedFor<T>(clock: Clock, ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | undefined
  return () => {
    const now = clock.now()
    if (last !== undefined && now >= last.at && now - last.at < ms) return last.result
    const result = read()
    const entry = { at: now, result }
    last = entry
    result.catch(() => {
      if (last === entry) last = undefined
    })
    return result
  }
}
