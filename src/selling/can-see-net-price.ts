import { LRUCache } from 'lru-cache'
import { lruLimit } from '../lib/async/memoize.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { SellingStore } from './store.ts'

/** Resolves to true if the account may see net prices. */
export type SeesNet = (accountId: string) => Promise<boolean>

const CACHE_MS = 1_000
const ACCOUNTS_MAX = 10_000

/** Cached for a second, because every response with prices asks. */
export function createSeesNet(store: Pick<SellingStore, 'seesNet'>, clock: Clock): SeesNet {
  const cache = new LRUCache<string, { readonly may: boolean }>({
    ...lruLimit(ACCOUNTS_MAX),
    ttl: CACHE_MS,
    perf: clock,
    ttlResolution: 0,
  })
  return async (accountId) => {
    const known = cache.get(accountId)
    if (known !== undefined) return known.may
    const may = await store.seesNet(accountId)
    cache.set(accountId, { may })
    return may
  }
}
