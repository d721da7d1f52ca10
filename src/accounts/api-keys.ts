import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { KeyMode } from '../domain/access.ts'
import type { Clock } from '../lib/clock.ts'
import { atMost } from '../lib/remember.ts'
import type { ApiKeyStore, KeyOwner } from '../store/api-keys.ts'

export type ApiKeys = ReturnType<typeof createApiKeys>

/** Who calls with a key. */
export type KeyHolder = KeyOwner & { readonly tokenHash: string }

/** So that secret scanners can tell ours when one leaks, and which ones matter. */
const PREFIXES: Readonly<Record<KeyMode, string>> = { live: 'srk_live_', test: 'srk_test_' }
const SHAPE = /^srk_(live|test)_[A-Za-z0-9_-]{43}$/
const SHOWN_CHARACTERS = 4
/** A checked key counts as good this long: no disk on every request, and a revoked one still ends within a second. */
const REMEMBERED_MS = 800
const REMEMBERED_MAX = 10_000
/** The last use is written no more often than this. */
const USE_NOTED_MS = 5 * 60_000

export const looksLikeKey = (text: string): boolean => text.startsWith('srk_')

/** A new key; it is not stored anywhere. */
export function newKey(mode: KeyMode): { readonly key: string; readonly hash: string; readonly hint: string } {
  const key = `${PREFIXES[mode]}${randomBytes(32).toString('base64url')}`
  return { key, hash: hashOf(key), hint: `${PREFIXES[mode]}…${key.slice(-SHOWN_CHARACTERS)}` }
}

export function createApiKeys({ store, clock }: { readonly store: ApiKeyStore; readonly clock: Clock }) {
  /** By the key itself, so that a remembered one costs no hash; it lives in memory only, and briefly. */
  const remembered = new LRUCache<string, { holder: KeyHolder; until: number }>(atMost(REMEMBERED_MAX))
  const notedAt = new LRUCache<string, number>(atMost(REMEMBERED_MAX))

  /** A last use that cannot be written is no reason to refuse the request. */
  async function noteUse({ key }: KeyHolder, now: number): Promise<void> {
    const noted = notedAt.get(key.id) ?? key.lastUsedAt ?? 0
    if (now - noted < USE_NOTED_MS) return
    notedAt.set(key.id, now)
    await store.noteUse(key.id, now).catch(() => undefined)
  }

  return {
    /** Who holds this key; undefined for anything that is not a key of ours that counts. */
    async holder(key: string): Promise<KeyHolder | undefined> {
      const now = clock.now()
      const known = remembered.get(key)
      if (known !== undefined && known.until > now) return known.holder
      remembered.delete(key)
      if (!SHAPE.test(key)) return undefined
      const tokenHash = hashOf(key)
      const owner = await store.owner(tokenHash)
      if (owner === undefined) return undefined
      const holder = { ...owner, tokenHash }
      remembered.set(key, { holder, until: now + REMEMBERED_MS })
      await noteUse(holder, now)
      return holder
    },

    /** False when the account has no such key. In this process it ends at once. */
    async revoke(accountId: string, id: string): Promise<boolean> {
      const isRevoked = await store.revoke(accountId, id, clock.now())
      for (const [key, { holder }] of remembered.entries()) if (holder.key.id === id) remembered.delete(key)
      return isRevoked
    },
  }
}

const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
