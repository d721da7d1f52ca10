import { LRUCache } from 'lru-cache'
import { atMost } from '../lib/async/remember.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { SellingStore } from './store.ts'

/** Whether an account may see net prices. */
export type SeesNet = (accountId: string) => Promise<boolean>

const REMEMBERED_MS = 1_000
const ACCOUNTS_MAX = 10_000

/** Asked with every answer that has prices, so it is remembered for a second. */
export function createSeesNet(store: Pick<SellingStore, 'seesNet'>, clock: Clock): SeesNet {
  const remembered = new LRUCache<string, { readonly may: boolean }>({
    ...atMost(ACCOUNTS_MAX),
    ttl: REMEMBERED_MS,
    perf: clock,
    ttlResolution: 0,
  })
  return async (accountId) => {
    const known = remembered.get(accountId)
    if (known !== undefined) return known.may
    const may = await store.seesNet(accountId)
    remembered.set(accountId, { may })
    return may
  }
}
