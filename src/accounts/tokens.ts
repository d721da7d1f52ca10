import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../lib/clock.ts'
import { atMost } from '../lib/remember.ts'
import type { Account } from '../store/accounts.ts'
import { isSessionId, type Session, type TokenOwner, type TokenStore } from '../store/tokens.ts'

export type Tokens = ReturnType<typeof createTokens>

/** Who holds a live token. */
export type TokenHolder = TokenOwner & { readonly tokenHash: string }

/** So that secret scanners can tell ours when one leaks. */
const PREFIX = 'srt_'
const SHAPE = /^srt_[A-Za-z0-9_-]{43}$/
/** A checked token counts as good this long: no disk on every request, and a revoked one still ends within a second. */
const REMEMBERED_MS = 800
const REMEMBERED_MAX = 10_000
/** Older ones are not listed; they expire within a day. */
export const SESSIONS_MAX = 1_000

export function createTokens(deps: { store: TokenStore; clock: Clock; ttlMs: number }) {
  const { store, clock } = deps
  /** By the token itself, so that a remembered one costs no hash; it lives in memory only, and briefly. */
  const remembered = new LRUCache<string, { holder: TokenHolder; until: number }>(atMost(REMEMBERED_MAX))
  const forget = (hash: string) => {
    for (const [token, { holder }] of remembered.entries()) if (holder.tokenHash === hash) remembered.delete(token)
  }

  return {
    /** Undefined where the password has been changed, or the account disabled, since this account was read. */
    async issue({ id: accountId, passwordHash }: Pick<Account, 'id' | 'passwordHash'>) {
      const token = `${PREFIX}${randomBytes(32).toString('base64url')}`
      const now = clock.now()
      const expiresAt = now + deps.ttlMs
      const added = await store.add({ hash: hashOf(token), accountId, passwordHash, createdAt: now, expiresAt })
      return added ? { token, expiresAt } : undefined
    },

    /** Who holds this token; undefined for anything that is not a live token of ours. */
    async holder(token: string): Promise<TokenHolder | undefined> {
      const now = clock.now()
      const known = remembered.get(token)
      if (known !== undefined && known.until > now && known.holder.expiresAt > now) return known.holder
      remembered.delete(token)
      if (!SHAPE.test(token)) return undefined
      const tokenHash = hashOf(token)
      const owner = await store.owner(tokenHash, now)
      if (owner === undefined) return undefined
      const holder = { ...owner, tokenHash }
      remembered.set(token, { holder, until: now + REMEMBERED_MS })
      return holder
    },

    async revoke(hash: string): Promise<void> {
      await store.revoke(hash, clock.now())
      forget(hash)
    },

    /** The newest first. */
    sessions: (accountId: string): Promise<Session[]> => store.sessions(accountId, clock.now(), SESSIONS_MAX),

    /** False when the account has no such session. In this process it ends at once. */
    async endSession(accountId: string, id: string): Promise<boolean> {
      const hash = isSessionId(id) ? await store.endSession(accountId, id, clock.now()) : undefined
      if (hash !== undefined) forget(hash)
      return hash !== undefined
    },
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
