import type { Clock } from '../lib/clock.ts'

export type SharedAnswers<T> = ReturnType<typeof createSharedAnswers<T>>

type Shared<T> = { readonly answer: Promise<T>; readonly abort: AbortController; waiting: number; until: number }

/**
 * Looking costs money: the same question asked by many at once goes to the vendor once, and a fresh answer serves
 * the next who ask. A question goes on while anybody waits for it, and is dropped with the last of them.
 */
export function createSharedAnswers<T>(clock: Clock, reuseMs: number, keptMax = 2_000) {
  const shared = new Map<string, Shared<T>>()

  function start(key: string, ask: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const abort = new AbortController()
    const entry: Shared<T> = { answer: ask(abort.signal), abort, waiting: 0, until: Number.POSITIVE_INFINITY }
    // Behind all others, so that the map is in the order in which answers grow old.
    shared.delete(key)
    shared.set(key, entry)
    entry.answer.then(
      () => {
        entry.until = clock.now() + reuseMs
      },
      // A failure is nobody's answer but of those who wait for it now.
      () => {
        if (shared.get(key) === entry) shared.delete(key)
      },
    )
    return entry
  }

  /** An answer nobody may have any more is hundreds of offers that the garbage collector looks at again and again. */
  function forgetOld(): void {
    const now = clock.now()
    for (const [key, { until }] of shared) {
      if (until <= now) shared.delete(key)
      else if (until !== Number.POSITIVE_INFINITY) break
    }
    for (const key of shared.keys()) {
      if (shared.size <= keptMax) break
      if ((shared.get(key)?.waiting ?? 0) === 0) shared.delete(key)
    }
  }

  return async function answerOf(
    key: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const known = shared.get(key)
    const fresh = known !== undefined && known.until > clock.now() && !known.abort.signal.aborted
    if (!fresh) forgetOld()
    const entry = fresh ? known : start(key, ask)
    entry.waiting += 1
    const gone = Promise.withResolvers<never>()
    const onAbort = () => gone.reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([entry.answer, gone.promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
      entry.waiting -= 1
      if (entry.waiting === 0 && entry.until === Number.POSITIVE_INFINITY) {
        entry.abort.abort(signal.reason)
        if (shared.get(key) === entry) shared.delete(key)
      }
    }
  }
}
