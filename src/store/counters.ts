import type { Clock } from '../lib/clock.ts'
import type { RedisLink } from './redis.ts'

/** A count that forgets: how much of an allowance was used in the current window, shared by whoever shares the store. */
export type Counters = {
  /** Adds `cost` and answers the count with it, and when the window ends (epoch ms). */
  add(key: string, cost: number, windowMs: number): Promise<Count> | Count
}
export type MemoryCounters = { add(key: string, cost: number, windowMs: number): Count }
export type Count = { readonly used: number; readonly resetsAt: number }

/** `quota` units in `windowMs`. */
export type Allowance = { readonly quota: number; readonly windowMs: number }

const KEYS_MAX = 100_000

/** For one process. Fixed windows: cheap, and the headers can tell exactly what is left. */
export function createMemoryCounters(clock: Clock): MemoryCounters {
  const windows = new Map<string, { used: number; resetsAt: number }>()
  return {
    add(key, cost, windowMs) {
      const now = clock.now()
      const current = windows.get(key)
      if (current !== undefined && current.resetsAt > now) {
        current.used += cost
        return { ...current }
      }
      if (windows.size >= KEYS_MAX) forgetPast(windows, now)
      const fresh = { used: cost, resetsAt: now + windowMs }
      windows.set(key, fresh)
      return { ...fresh }
    },
  }
}

function forgetPast(windows: Map<string, Count>, now: number): void {
  for (const [key, { resetsAt }] of windows) if (resetsAt <= now) windows.delete(key)
  if (windows.size >= KEYS_MAX) windows.clear()
}

/** Shared by all nodes. While Redis is away each process counts for itself: laxer, never closed. */
export function createRedisCounters(redis: RedisLink, clock: Clock, fallback: Counters): Counters {
  return {
    async add(key, cost, windowMs) {
      const counted = await redis.ask((commands) => commands.count(`count:${key}`, cost, windowMs))
      if (counted === undefined) return fallback.add(key, cost, windowMs)
      const [used, leftMs] = counted
      return { used, resetsAt: clock.now() + leftMs }
    },
  }
}

/** One addition, as it travels between processes. */
export type Addition = readonly [key: string, cost: number, windowMs: number]

/**
 * Shared by the processes of one machine: additions of one turn of the event loop travel together. When the other side
 * does not answer, this process counts for itself.
 */
export function createBatchedCounters(
  exchange: (additions: readonly Addition[]) => Promise<readonly Count[]>,
  fallback: Counters,
): Counters {
  let batch: Addition[] = []
  let counted: Promise<readonly Count[] | undefined> | undefined

  async function send(): Promise<readonly Count[] | undefined> {
    await new Promise((resolve) => setImmediate(resolve))
    const additions = batch
    batch = []
    counted = undefined
    return exchange(additions).catch(() => undefined)
  }

  return {
    async add(key, cost, windowMs) {
      const place = batch.push([key, cost, windowMs]) - 1
      counted ??= send()
      const counts = await counted
      return counts?.[place] ?? fallback.add(key, cost, windowMs)
    },
  }
}
