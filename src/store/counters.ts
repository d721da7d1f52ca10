import type { Clock } from '../lib/clock.ts'

/** A count that forgets: how much of an allowance was used in the current window, shared by whoever shares the store. */
export type Counters = {
  /** Adds `cost` and answers the count with it, and when the window ends (epoch ms). */
  add(key: string, cost: number, windowMs: number): Promise<Count> | Count
}
export type Count = { readonly used: number; readonly resetsAt: number }

/** `quota` units in `windowMs`. */
export type Allowance = { readonly quota: number; readonly windowMs: number }

const KEYS_MAX = 100_000

/** For one process. Fixed windows: cheap, and the headers can tell exactly what is left. */
export function createMemoryCounters(clock: Clock): Counters {
  const windows = new Map<string, { used: number; resetsAt: number }>()
  return {
    add(key, cost, windowMs) {
      const now = clock.now()
      const current = windows.get(key)
      if (current !== undefined && current.resetsAt > now) {
        current.used += cost
        return current
      }
      if (windows.size >= KEYS_MAX) forgetPast(windows, now)
      const fresh = { used: cost, resetsAt: now + windowMs }
      windows.set(key, fresh)
      return fresh
    },
  }
}

function forgetPast(windows: Map<string, Count>, now: number): void {
  for (const [key, { resetsAt }] of windows) if (resetsAt <= now) windows.delete(key)
  if (windows.size >= KEYS_MAX) windows.clear()
}
