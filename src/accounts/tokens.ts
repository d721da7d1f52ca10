import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import type { TokenOwner, TokenStore } from '../store/tokens.ts'

export type Tokens = ReturnType<typeof createTokens>

/** Who holds a live token. */
export type TokenHolder = TokenOwner & { readonly tokenHash: string }

/** So that secret scanners can tell ours when one leaks. */
const PREFIX = 'srt_'
const SHAPE = /^srt_[A-Za-z0-9_-]{43}$/
/** A checked token is believed this long: no disk on every request, and a revoked one still ends within a second. */
const BELIEVED_MS = 800
const REMEMBERED_MAX = 10_000

export function createTokens(deps: { store: TokenStore; clock: Clock; ttlMs: number }) {
  const { store, clock } = deps
  /** By the token itself, so that a believed one costs no hash; it lives in memory only, and briefly. */
  const believed = new Map<string, { holder: TokenHolder; until: number }>()

  return {
    async issue(accountId: string): Promise<{ token: string; expiresAt: number }> {
      const token = `${PREFIX}${randomBytes(32).toString('base64url')}`
      const now = clock.now()
      const expiresAt = now + deps.ttlMs
      await store.add({ hash: hashOf(token), accountId, createdAt: now, expiresAt })
      return { token, expiresAt }
    },

    /** The holder of a token that was looked up a moment ago; undefined says nothing. Costs no waiting. */
    believed(token: string): TokenHolder | undefined {
      const known = believed.get(token)
      if (known === undefined) return undefined
      const now = clock.now()
      return known.until > now && known.holder.expiresAt > now ? known.holder : undefined
    },

    /** Who holds this token, by the store; undefined for anything that is not a live token of ours. */
    async holder(token: string): Promise<TokenHolder | undefined> {
      if (!SHAPE.test(token)) return undefined
      const now = clock.now()
      const tokenHash = hashOf(token)
      const owner = await store.owner(tokenHash, now)
      believed.delete(token)
      if (owner === undefined) return undefined
      const holder = { ...owner, tokenHash }
      if (believed.size >= REMEMBERED_MAX) believed.clear()
      believed.set(token, { holder, until: now + BELIEVED_MS })
      return holder
    },

    async revoke(hash: string): Promise<void> {
      await store.revoke(hash, clock.now())
      for (const [token, { holder }] of believed) if (holder.tokenHash === hash) believed.delete(token)
    },
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
