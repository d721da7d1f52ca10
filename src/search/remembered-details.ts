import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/time/clock.ts'

export type RememberedDetails = ReturnType<typeof createRememberedDetails>

/** About 75 answers of usual size. They expire within a minute. */
const BYTES_MAX = 16 * 1024 * 1024

/** Answers with a property's detail: asked again soon by the same account, the same bytes. */
export function createRememberedDetails(clock: Clock, reuseMs: number) {
  const answers = new LRUCache<string, Buffer>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ length }) => Math.max(1, length),
    perf: clock,
    ttlResolution: 0,
  })
  return {
    get: (accountId: string, key: string) => answers.get(`${accountId} ${key}`),
    keep(accountId: string, key: string, bytes: Buffer, expiresAt: number): void {
      const ttl = Math.min(reuseMs, expiresAt - clock.now())
      answers.purgeStale()
      if (ttl > 0) answers.set(`${accountId} ${key}`, bytes, { ttl })
    },
  }
}
