import { LRUCache } from 'lru-cache'
import { occupancyKey } from '../domain/stay.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { AvailabilityQuery } from '../vendors/contract.ts'

/** The same text for the same question to a vendor. */
export function questionKey(vendorId: string, query: AvailabilityQuery): string {
  const { vendorPropertyIds, stay, market, timezone = '' } = query
  return [
    vendorId,
    stay.checkIn,
    stay.checkOut,
    stay.occupancies.map(occupancyKey).join('+'),
    market.currency,
    market.language,
    market.countryCode,
    timezone,
    ...vendorPropertyIds,
  ].join('|')
}

export type SharedAnswers<T> = {
  (key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Drops an answer that is out of date. `about`: the id of the property. */
  forget(key: string, about: string): void
  /** A number that changes whenever an answer about the property is dropped. */
  forgotten(about: string): number
}

type Call<T> = { readonly answer: Promise<T>; readonly abort: AbortController; waiting: number }

type Options<T> = {
  /** How long an answer is used again for the same question. */
  readonly reuseMs: number
  /** The offers of an answer. */
  itemsOf(answer: T): readonly unknown[]
  /** Whether an answer is used again at all; every one when absent. */
  isKept?(answer: T): boolean
  /** Limit of all kept answers together. The default is enough for 50 searches of large cities, or the rooms of 200 properties. */
  readonly bytesMax?: number
}

const BYTES_MAX = 32 * 1024 * 1024
const FORGOTTEN_MAX = 10_000

/** Estimates the memory of an answer from its first offer, because all of its offers are alike. */
const bytesOf = (items: readonly unknown[]): number => 400 + 2 * items.length * JSON.stringify(items[0] ?? '').length

/**
 * Vendors count questions: the same one asked by many at once goes out once, and a fresh answer serves those who ask next. A
 * call goes on while anybody waits for it and is aborted with the last of them; a failure is not kept.
 */
export function createSharedAnswers<T>(
  clock: Clock,
  { reuseMs, itemsOf, isKept = () => true, bytesMax = BYTES_MAX }: Options<T>,
): SharedAnswers<T> {
  const calls = new Map<string, Call<T>>()
  const forgottenAt = new LRUCache<string, number>({ max: FORGOTTEN_MAX })
  let times = 0
  const answers = new LRUCache<string, { readonly value: T }>({
    maxSize: bytesMax,
    sizeCalculation: ({ value }) => bytesOf(itemsOf(value)),
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
      // An answer is hundreds of offers: old ones are not left for the garbage collector to look at.
      answers.purgeStale()
      if (reuseMs > 0 && isKept(value)) answers.set(key, { value })
    }
    // What is not of the shape it should be cannot be kept; whoever waits for it says so.
    call.answer.then(keep, end).catch(() => undefined)
    return call
  }

  async function answerOf(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const known = answers.get(key)
    if (known !== undefined) return known.value
    // For a caller that has left already, no vendor must be asked.
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

  return Object.assign(answerOf, {
    forget(key: string, about: string): void {
      answers.delete(key)
      times += 1
      forgottenAt.set(about, times)
    },
    forgotten: (about: string) => forgottenAt.get(about) ?? 0,
  })
}
