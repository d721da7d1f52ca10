import type { Clock } from '../time/clock.ts'

/** Callers that ask again within `ms` get the same answer. A failure is told to those who waited for it, and not kept. */
export function cachedFor<T>(clock: Clock, ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined
  return () => {
    const now = clock.now()
    if (last !== undefined && now >= last.at && now - last.at < ms) return last.answer
    const answer = read()
    const mine = { at: now, answer }
    last = mine
    answer.catch(() => {
      if (last === mine) last = undefined
    })
    return answer
  }
}
