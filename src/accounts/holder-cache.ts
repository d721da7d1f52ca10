import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Role } from '../domain/access.ts'
import { lruLimit } from '../lib/async/memoize.ts'
import type { Clock } from '../lib/time/clock.ts'

/** Saves a query per request; a secret that is revoked elsewhere still expires within a second. */
const REMEMBERED_MS = 800
const REMEMBERED_MAX = 10_000

/** The prefix lets secret scanners recognise a leaked token, key or session. */
export const newSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`

/** Only the hash of a secret is stored. */
export const hashSecret = (secret: string): string => hash('sha256', secret)

/** Caches the holders of secrets. `find` looks up the hash of a well-formed secret in the store. */
export function cacheHolders<Holder extends { readonly role: Role; readonly expiresAt?: number }>(
  clock: Clock,
  shape: RegExp,
  find: (hash: string, now: number) => Promise<Holder | undefined>,
) {
  /** Keyed by the secret itself, which avoids hashing; kept in memory only, and briefly. */
  const remembered = new LRUCache<string, { holder: Holder; from: number; until: number }>(lruLimit(REMEMBERED_MAX))
  return {
    /** Undefined for anything that is not a live secret. */
    async holder(secret: string): Promise<Holder | undefined> {
      const now = clock.now()
      const known = remembered.get(secret)
      // A clock that is set back must not keep a revoked secret alive.
      if (known !== undefined && now >= known.from && now < known.until) return known.holder
      remembered.delete(secret)
      if (!shape.test(secret)) return undefined
      const holder = await find(hashSecret(secret), now)
      if (holder === undefined) return undefined
      remembered.set(secret, {
        holder,
        from: now,
        until: Math.min(now + REMEMBERED_MS, holder.expiresAt ?? Number.POSITIVE_INFINITY),
      })
      return holder
    },

    /** Removes matching holders from the cache, so that revoked secrets expire immediately. */
    forget(matches: (holder: Holder) => boolean): void {
      for (const [secret, { holder }] of remembered.entries()) if (matches(holder)) remembered.delete(secret)
    },
  }
}
