import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/time/clock.ts'

export type DetailCache = ReturnType<typeof createDetailCache>

/** About 75 responses of usual size. They expire within a minute. */
const BYTES_MAX = 16 * 1024 * 1024

/** Cached responses with a property's detail, per account. */
export function createDetailCache(clock: Clock, reuseMs: number) {
  const responses = new LRUCache<string, Buffer>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ length }) => Math.max(1, length),
    perf: clock,
    ttlResolution: 0,
  })
  return {
    get: (accountId: string, key: string) => responses.get(`${accountId} ${key}`),
    keep(accountId: string, key: string, bytes: Buffer, expiresAt: number): void {
      const ttl = Math.min(reuseMs, expiresAt - clock.now())
      responses.purgeStale()
      if (ttl > 0) responses.set(`${accountId} ${key}`, bytes, { ttl })
    },
  }
}
