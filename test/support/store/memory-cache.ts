import type { Clock } from '../../../src/lib/time/clock.ts'
import type { Cache } from '../../../src/store/cache.ts'

/** A cache for tests that need no Redis. */
export function createMemoryCache(clock: Clock): Cache {
  const entries = new Map<string, { value: Buffer; until: number }>()
  return {
    async get(key) {
      const found = entries.get(key)
      return found !== undefined && found.until > clock.now() ? found.value : undefined
    },
    async set(key, value, ttlMs) {
      entries.set(key, { value, until: clock.now() + ttlMs })
    },
  }
}
