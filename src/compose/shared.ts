import type { Logger } from 'pino'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { GuestLimiters } from '../http/limits/guests.ts'
import type { Allowance, RateLimiter } from '../lib/async/rate-limiter.ts'
import type { Clock } from '../lib/time/clock.ts'
import { withAvailabilityCache } from '../search/cache-availability.ts'
import { withSearchCache } from '../search/store/redis-searches.ts'
import type { SearchStore } from '../search/store/searches.ts'
import { createRedisCache } from '../store/cache.ts'
import { createRateLimiter } from '../store/rate-limiters.ts'
import type { RedisLink } from '../store/redis.ts'
import { createRedisLocks, type Locks, noLocks } from '../store/redis-locks.ts'
import type { Vendor } from '../vendors/contract.ts'

type Deps = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Logger
  readonly registry: Registry
}

/** State that nodes share besides the database. */
export type Shared = {
  readonly limiters: Limiters
  readonly guestLimiters: GuestLimiters
  readonly locks: Locks
  createLimiter(name: string, allowance: Allowance): RateLimiter
  readonly search: Config['search']
  wrapSearchStore(store: SearchStore): SearchStore
  wrapVendors(vendors: readonly Vendor[]): readonly Vendor[]
  close(): Promise<void>
}

type Limiters = Readonly<Record<keyof Config['allowances'] | 'key' | 'page', RateLimiter>>

/** Upper bound; each API key has its own, far lower limit. */
const KEY_COUNTER = { quota: 1_000_000, windowMs: 60_000 }
/** Files of the page per address: an office may share one. */
const PAGE_FILES = { quota: 6_000, windowMs: 60_000 }

const createLimiters = <Name extends string>(allowances: Readonly<Record<Name, Allowance>>, redis?: RedisLink) =>
  Object.fromEntries(
    Object.entries<Allowance>(allowances).map(([name, allowance]) => [name, createRateLimiter(name, allowance, redis)]),
  ) as Record<Name, RateLimiter>

const allLimiters = ({ allowances, guests }: Config, redis?: RedisLink) => ({
  limiters: createLimiters({ ...allowances, key: KEY_COUNTER, page: PAGE_FILES }, redis),
  guestLimiters: createLimiters(guests.allowances, redis),
})

/** Share of the reuse time for which a response is reused in its process; for the rest it is reused from Redis. */
const OWN_SHARE = 1 / 3

/** With Redis, all nodes share rate limits, locks, saved searches and vendors' responses; without, each process has its own. */
export async function openShared({ config, clock, log, registry }: Deps): Promise<Shared> {
  if (config.redisUrl === undefined) {
    return {
      ...allLimiters(config),
      locks: noLocks,
      createLimiter: createRateLimiter,
      search: config.search,
      wrapSearchStore: (store) => store,
      wrapVendors: (vendors) => vendors,
      close: async () => undefined,
    }
  }
  // Loaded only if configured: the client is slow to load.
  const { openRedis } = await import('../store/redis.ts')
  const redis = openRedis(config.redisUrl, {
    onChange: (isUp, why) =>
      isUp ? log.info('Redis is available') : log.error({ why }, 'Redis is unavailable; continuing without it'),
  })
  const cache = createRedisCache(redis)
  const ownReuseMs = Math.round(config.search.reuseMs * OWN_SHARE)
  new Gauge({
    name: 'serai_redis_up',
    help: '1 while values written to Redis can be read; without it the service keeps running, but slower.',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      this.set((await redis.probe()) ? 1 : 0)
    },
  })
  return {
    ...allLimiters(config, redis),
    locks: createRedisLocks(redis),
    createLimiter: (name, allowance) => createRateLimiter(name, allowance, redis),
    search: { ...config.search, reuseMs: ownReuseMs },
    wrapSearchStore: (store) => withSearchCache(store, cache, clock),
    wrapVendors: (vendors) =>
      vendors.map((vendor) => withAvailabilityCache(vendor, cache, config.search.reuseMs - ownReuseMs)),
    close: () => redis.close(),
  }
}
