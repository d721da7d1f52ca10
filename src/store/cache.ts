import type { Clock } from '../lib/clock.ts'
import type { RedisLink } from './redis.ts'

/**
 * Bytes that are worth keeping for a while. Whatever is in it can be had again elsewhere: the system is right without it,
 * only slower. It never throws.
 */
export type Cache = {
  get(key: string): Promise<Buffer | undefined>
  set(key: string, value: Buffer, ttlMs: number): Promise<void>
}

/** One value beyond this is not worth the room. */
const VALUE_MAX_BYTES = 4 * 2 ** 20

/** Shared by all nodes. */
export function createRedisCache(redis: RedisLink): Cache {
  return {
    get: async (key) => (await redis.ask((commands) => commands.getBuffer(key))) ?? undefined,
    async set(key, value, ttlMs) {
      if (ttlMs <= 0 || value.length > VALUE_MAX_BYTES) return
      await redis.ask((commands) => commands.setBuffer(key, value, ttlMs))
    },
  }
}

/** For one process; what was put in first goes first. */
export function createMemoryCache(clock: Clock, bytesMax = 64 * 2 ** 20): Cache {
  const kept = new Map<string, { value: Buffer; until: number }>()
  let bytes = 0
  const drop = (key: string) => {
    bytes -= kept.get(key)?.value.length ?? 0
    kept.delete(key)
  }
  return {
    async get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      if (found.until > clock.now()) return found.value
      drop(key)
      return undefined
    },
    async set(key, value, ttlMs) {
      if (ttlMs <= 0 || value.length > Math.min(VALUE_MAX_BYTES, bytesMax)) return
      drop(key)
      kept.set(key, { value, until: clock.now() + ttlMs })
      bytes += value.length
      for (const oldest of kept.keys()) {
        if (bytes <= bytesMax) break
        drop(oldest)
      }
    },
  }
}
