import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Role } from '../domain/access.ts'
import { atMost } from '../lib/async/remember.ts'
import type { Clock } from '../lib/time/clock.ts'

/** A checked secret counts as good this long: no query on every request, and one that was ended elsewhere still ends within a second. */
const REMEMBERED_MS = 800
const REMEMBERED_MAX = 10_000

/** A token, an API key or a session of the page. By the prefix, secret scanners can tell ours when one leaks. */
export const newSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`

/** What is stored of a secret. */
export const secretHash = (secret: string): string => hash('sha256', secret)

/** Remembers who holds a secret. `find` asks the store, by the hash of a secret that has the right shape. */
export function rememberHolders<Holder extends { readonly role: Role; readonly expiresAt?: number }>(
  clock: Clock,
  shape: RegExp,
  find: (hash: string, now: number) => Promise<Holder | undefined>,
) {
  /** By the secret itself, so that a remembered one costs no hash; it lives in memory only, and briefly. */
  const remembered = new LRUCache<string, { holder: Holder; from: number; until: number }>(atMost(REMEMBERED_MAX))
  return {
    /** Undefined for anything that is not a live secret of ours. */
    async holder(secret: string): Promise<Holder | undefined> {
      const now = clock.now()
      const known = remembered.get(secret)
      // A clock that is set back must not keep an ended secret alive.
      if (known !== undefined && now >= known.from && now < known.until) return known.holder
      remembered.delete(secret)
      if (!shape.test(secret)) return undefined
      const holder = await find(secretHash(secret), now)
      if (holder === undefined) return undefined
      remembered.set(secret, {
        holder,
        from: now,
        until: Math.min(now + REMEMBERED_MS, holder.expiresAt ?? Number.POSITIVE_INFINITY),
      })
      return holder
    },

    /** They are asked for again; those that were ended end in this process at once. */
    forget(isMeant: (holder: Holder) => boolean): void {
      for (const [secret, { holder }] of remembered.entries()) if (isMeant(holder)) remembered.delete(secret)
    },
  }
}
