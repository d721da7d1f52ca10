import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../lib/time/clock.ts'
import type { RedisLink } from './redis.ts'

type Turn = {
  /** Lifetime of the lock, in case its process dies. */
  readonly ttlMs: number
  /** Maximum wait for the lock. After that the work runs without it: doing it twice is more expensive, but never wrong. */
  readonly patienceMs: number
  readonly signal?: AbortSignal
}

/** Usually prevents nodes from doing the same work at the same time. Not a guarantee, which only the database can give. */
export type Locks = {
  /** A caller that had to wait should check first if the work has been done. */
  withLock<T>(name: string, turn: Turn, work: () => Promise<T>): Promise<T>
}

const POLL_EVERY_MS = 150

/** Deletes the lock only if it is still ours: it may have expired and been taken by another process. */
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0`

/** For a single process, which shares its work in memory. */
export const noLocks: Locks = { withLock: (_name, _turn, work) => work() }

/** Shared by all nodes. Without Redis, all of them proceed. */
export function createRedisLocks(redis: RedisLink): Locks {
  async function acquire(key: string, token: string, { ttlMs, patienceMs, signal }: Turn): Promise<boolean> {
    const until = monotonicMs() + patienceMs
    for (;;) {
      const answer = await redis.run((client) => client.set(key, token, 'PX', Math.ceil(ttlMs), 'NX'))
      if (answer !== null) return answer === 'OK'
      if (signal?.aborted === true || monotonicMs() + POLL_EVERY_MS > until) return false
      await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    async withLock(name, turn, work) {
      const key = `lock:${name}`
      const token = randomUUID()
      const isOurs = await acquire(key, token, turn)
      try {
        return await work()
      } finally {
        if (isOurs) void redis.run((client) => client.eval(RELEASE, 1, key, token))
      }
    },
  }
}
