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

/** The first process answers in well under a millisecond. */
const CLUSTER_PATIENCE_MS = 250

/**
 * Counts in fixed windows: for this process alone, for the workers of one machine in the process that started them, or with
 * Redis for all nodes. Whatever cannot be reached costs the sharing, not the counting: then this process counts for itself.
 */
export function createRateLimiter(name: string, allowance: Allowance, redis?: RedisLink): RateLimiter {
  const options = { keyPrefix: name, points: allowance.quota, duration: Math.ceil(allowance.windowMs / 1000) }
  const own = new RateLimiterMemory(options)
  const ofMachine = cluster.isWorker ? new RateLimiterCluster({ ...options, timeoutMs: CLUSTER_PATIENCE_MS }) : own
  const ofAllNodes = redis && new RateLimiterRedis({ ...options, storeClient: redis.client })

  return {
    name,
    allowance,
    async spend(key, cost) {
      // Through `ask`, so that a Redis that hangs costs one request its patience and not every one.
      const counted = ofAllNodes && (await redis?.ask(() => consume(ofAllNodes, key, cost)))
      const result = counted ?? (await consume(ofMachine, key, cost).catch(() => consume(own, key, cost)))
      return {
        left: result.remainingPoints,
        isExceeded: result.consumedPoints > allowance.quota,
        resetInMs: Math.max(0, result.msBeforeNext),
      }
    },
  }
}

/** The library throws the result where the allowance is exceeded; only other errors are failures. */
async function consume(limiter: RateLimiterAbstract, key: string, cost: number): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, cost)
  } catch (result) {
    if (result instanceof RateLimiterRes) return result
    throw result
  }
}
