import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../lib/time/clock.ts'
import type { RedisLink } from './redis.ts'

type Turn = {
  /** How long the work may take; a process that dies with the lock keeps the others no longer. */
  readonly ttlMs: number
  /** How long to wait for one's turn. Afterwards the work is done without: twice is more expensive, never wrong. */
  readonly patienceMs: number
  /** Ends the waiting at once. */
  readonly signal?: AbortSignal
}

/**
 * Spares nodes from doing at the same time what one of them is doing already. A help, not a guarantee: what must happen
 * once is the database's to say.
 */
export type Locks = {
  /** Runs `work` in one's turn. A caller that had to wait should look first whether it has been done meanwhile. */
  inTurn<T>(name: string, turn: Turn, work: () => Promise<T>): Promise<T>
}

const LOOK_EVERY_MS = 150

/** Takes a lock away only from its holder: its time may have run out, and another may have it by now. */
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0`

/** For one process, which shares its work in memory already. */
export const noLocks: Locks = { inTurn: (_name, _turn, work) => work() }

/** Among all nodes. While Redis is away everybody goes ahead. */
export function createRedisLocks(redis: RedisLink): Locks {
  async function untilTurn(key: string, token: string, { ttlMs, patienceMs, signal }: Turn): Promise<boolean> {
    const until = monotonicMs() + patienceMs
    for (;;) {
      const answer = await redis.ask((client) => client.set(key, token, 'PX', Math.ceil(ttlMs), 'NX'))
      if (answer !== null) return answer === 'OK'
      if (signal?.aborted === true || monotonicMs() + LOOK_EVERY_MS > until) return false
      await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  return {
    async inTurn(name, turn, work) {
      const key = `lock:${name}`
      const token = randomUUID()
      const isOurs = await untilTurn(key, token, turn)
      try {
        return await work()
      } finally {
        if (isOurs) void redis.ask((client) => client.eval(RELEASE, 1, key, token))
      }
    },
  }
}
