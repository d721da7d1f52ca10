import type { RedisLink } from './redis.ts'

/** Never throws. Its contents may be lost at any time. */
export type Cache = {
  get(key: string): Promise<Buffer | undefined>
  set(key: string, value: Buffer, ttlMs: number): Promise<void>
}

/** Larger values are not cached. */
const VALUE_MAX_BYTES = 4 * 2 ** 20

/** Shared by all nodes. */
export function createRedisCache(redis: RedisLink): Cache {
  return {
    get: async (key) => (await redis.run((client) => client.getBuffer(key))) ?? undefined,
    async set(key, value, ttlMs) {
      if (ttlMs <= 0 || value.length > VALUE_MAX_BYTES) return
      await redis.run((client) => client.set(key, value, 'PX', Math.ceil(ttlMs)))
    },
  }
}
