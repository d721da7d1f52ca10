import cluster from 'node:cluster'
import {
  type RateLimiterAbstract,
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Allowance, RateLimiter } from '../lib/async/rate-limiter.ts'
import type { RedisLink } from './redis.ts'

/** The primary process usually responds in under a millisecond, but in more than 250 ms on a busy machine. */
const CLUSTER_TIMEOUT_MS = 2_000

/**
 * Counts in fixed windows: in this process, in the primary process for all workers, or in Redis for all nodes. Falls back to
 * this process if the others are unavailable.
 */
export function createRateLimiter(name: string, allowance: Allowance, redis?: RedisLink): RateLimiter {
  const options = { keyPrefix: name, points: allowance.quota, duration: Math.ceil(allowance.windowMs / 1000) }
  const own = new RateLimiterMemory(options)
  const perMachine = cluster.isWorker ? new RateLimiterCluster({ ...options, timeoutMs: CLUSTER_TIMEOUT_MS }) : own
  const global = redis && new RateLimiterRedis({ ...options, storeClient: redis.client })

  return {
    name,
    allowance,
    async spend(key, cost) {
      // Through `ask`, so that only one request waits if Redis hangs.
      const counted = global && (await redis?.run(() => consume(global, key, cost)))
      const result = counted ?? (await consume(perMachine, key, cost).catch(() => consume(own, key, cost)))
      return {
        left: result.remainingPoints,
        isExceeded: result.consumedPoints > allowance.quota,
        resetInMs: Math.max(0, result.msBeforeNext),
      }
    },
    async read(key) {
      const counted = global && (await redis?.run(() => readCounter(global, key)))
      const result = counted ?? (await readCounter(perMachine, key).catch(() => readCounter(own, key)))
      return {
        left: Math.max(0, allowance.quota - result.consumedPoints),
        resetInMs: Math.max(0, result.msBeforeNext),
      }
    },
  }
}

const readCounter = async (limiter: RateLimiterAbstract, key: string) =>
  (await limiter.get(key)) ?? { consumedPoints: 0, msBeforeNext: 0 }

/** The library throws the result if the limit is exceeded. */
async function consume(limiter: RateLimiterAbstract, key: string, cost: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, cost)
  } catch (result) {
    if (result instanceof RateLimiterRes) return result
    throw result
  }
}
