import { LRUCache } from 'lru-cache'
import type { KeyMode } from '../domain/access.ts'
import { lruLimit } from '../lib/async/memoize.ts'
import type { Clock } from '../lib/time/clock.ts'
import { MINUTE_MS } from '../lib/time/durations.ts'
import { cacheHolders, hashSecret, newSecret } from './holder-cache.ts'
import type { ApiKeyStore, KeyOwner } from './store/api-keys.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

type KeyHolder = KeyOwner & { readonly tokenHash: string }

/** Distinct prefixes let a secret scanner rate a leak. */
const PREFIXES: Readonly<Record<KeyMode, string>> = { live: 'srk_live_', test: 'srk_test_' }
const SHAPE = /^srk_(live|test)_[A-Za-z0-9_-]{43}$/
const SHOWN_CHARACTERS = 4
/** Minimum time between two writes of the last use. */
const USE_NOTED_MS = 5 * MINUTE_MS
const NOTED_MAX = 10_000

export const looksLikeKey = (text: string): boolean => text.startsWith('srk_')

/** The key itself is never stored. */
export function newKey(mode: KeyMode): { readonly key: string; readonly hash: string; readonly hint: string } {
  const key = newSecret(PREFIXES[mode])
  return { key, hash: hashSecret(key), hint: `${PREFIXES[mode]}…${key.slice(-SHOWN_CHARACTERS)}` }
}

export function createApiKeys({ store, clock }: { readonly store: ApiKeyStore; readonly clock: Clock }) {
  const notedAt = new LRUCache<string, number>(lruLimit(NOTED_MAX))
  const holders = cacheHolders(clock, SHAPE, async (tokenHash, now): Promise<KeyHolder | undefined> => {
    const owner = await store.owner(tokenHash)
    if (owner === undefined) return undefined
    await noteUse(owner, now)
    return { ...owner, tokenHash }
  })

  /** Best effort: a failed write must not refuse the request. */
  async function noteUse({ key }: KeyOwner, now: number): Promise<void> {
    const noted = notedAt.get(key.id) ?? key.lastUsedAt ?? 0
    if (now - noted < USE_NOTED_MS) return
    notedAt.set(key.id, now)
    await store.noteUse(key.id, now).catch(() => undefined)
  }

  return {
    /** Undefined for anything that is not a valid key. */
    holder: holders.holder,

    /** False if the account does not have this key. Takes effect in this process immediately. */
    async revoke(accountId: string, id: string): Promise<boolean> {
      const isRevoked = await store.revoke(accountId, id, clock.now())
      holders.forget(({ key }) => key.id === id)
      return isRevoked
    },
  }
}
