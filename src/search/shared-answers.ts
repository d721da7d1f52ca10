import { LRUCache } from 'lru-cache'
import { occupancyKey } from '../domain/stay.ts'
import { lruLimit } from '../lib/async/memoize.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { AvailabilityQuery } from '../vendors/contract.ts'

/** Equal for equal requests to a vendor. */
export function questionKey(vendorId: string, query: AvailabilityQuery): string {
  const { vendorPropertyIds, stay, market, conditions = {}, timezone = '' } = query
  const { freeCancellation = false, boards = [] } = conditions
  return [
    vendorId,
    stay.checkIn,
    stay.checkOut,
    stay.occupancies.map(occupancyKey).join('+'),
    market.currency,
    market.language,
    market.countryCode,
    timezone,
    freeCancellation,
    boards.toSorted().join('+'),
    ...vendorPropertyIds,
  ].join('|')
}

export type SharedAnswers<T> = {
  (key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Drops an answer that is out of date. `about` is the property id. */
  forget(key: string, about: string): void
  /** A number that changes whenever an answer about the property is dropped. */
  forgotten(about: string): number
}

type Call<T> = { readonly answer: Promise<T>; readonly abort: AbortController; waiting: number }

type Options<T> = {
  /** Time during which an answer is reused. */
  readonly reuseMs: number
  listItems(answer: T): readonly unknown[]
  /** Defaults to every answer. */
  isReusable?(answer: T): boolean
  /** Limit of all cached answers. The default holds 50 searches of large cities, or the rooms of 200 properties. */
  readonly bytesMax?: number
}

const BYTES_MAX = 32 * 1024 * 1024
const EVICTED_MAX = 10_000

/** Estimated from the first offer, because all offers of an answer are alike. */
const estimateBytes = (items: readonly unknown[]): number =>
  400 + 2 * items.length * JSON.stringify(items[0] ?? '').length

/** Sends equal requests once and reuses the answer for a while. A call is aborted when its last caller leaves. */
export function createSharedAnswers<T>(
  clock: Clock,
  { reuseMs, listItems: itemsOf, isReusable: isKept = () => true, bytesMax = BYTES_MAX }: Options<T>,
): SharedAnswers<T> {
  const calls = new Map<string, Call<T>>()
  const evictedAt = new LRUCache<string, number>(lruLimit(EVICTED_MAX))
  let counter = 0
  const answers = new LRUCache<string, { readonly value: T }>({
    maxSize: bytesMax,
    sizeCalculation: ({ value }) => estimateBytes(itemsOf(value)),
    perf: clock,
    ttl: reuseMs,
    ttlResolution: 0,
  })

  function start(key: string, ask: (signal: AbortSignal) => Promise<T>): Call<T> {
    const abort = new AbortController()
    const call: Call<T> = { answer: ask(abort.signal), abort, waiting: 0 }
    calls.set(key, call)
    const end = () => calls.get(key) === call && calls.delete(key)
    const keep = (value: T) => {
      end()
      // Evicts old answers early, so that the garbage collector does not scan their many offers.
      answers.purgeStale()
      if (reuseMs > 0 && isKept(value)) answers.set(key, { value })
    }
    // A malformed answer cannot be cached; its callers get the error.
    call.answer.then(keep, end).catch(() => undefined)
    return call
  }

  async function fetchShared(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const known = answers.get(key)
    if (known !== undefined) return known.value
    // A caller that has already left must not cause a vendor call.
    signal.throwIfAborted()
    const call = calls.get(key) ?? start(key, ask)
    call.waiting += 1
    const left = Promise.withResolvers<never>()
    const onAbort = () => left.reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([call.answer, left.promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
      call.waiting -= 1
      if (call.waiting === 0 && calls.get(key) === call) {
        calls.delete(key)
        call.abort.abort(signal.reason)
      }
    }
  }

  return Object.assign(fetchShared, {
    forget(key: string, about: string): void {
      answers.delete(key)
      counter += 1
      evictedAt.set(about, counter)
    },
    forgotten: (about: string) => evictedAt.get(about) ?? 0,
  })
}
