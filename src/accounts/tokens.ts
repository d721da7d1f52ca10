import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import type { TokenOwner, TokenStore } from '../store/tokens.ts'

export type Tokens = ReturnType<typeof createTokens>

/** So that secret scanners can tell ours when one leaks. */
const PREFIX = 'srt_'
const SHAPE = /^srt_[A-Za-z0-9_-]{43}$/
/** A checked token is believed this long: no disk on every request, and a revoked one still ends within a second. */
const BELIEVED_MS = 800
const REMEMBERED_MAX = 10_000

export function createTokens(deps: { store: TokenStore; clock: Clock; ttlMs: number }) {
  const { store, clock } = deps
  /** By the token itself, so that a believed one costs no hash; it lives in memory only, and briefly. */
  const believed = new Map<string, { owner: TokenOwner & { hash: string }; until: number }>()

  return {
    async issue(accountId: string): Promise<{ token: string; expiresAt: number }> {
      const token = `${PREFIX}${randomBytes(32).toString('base64url')}`
      const now = clock.now()
      const expiresAt = now + deps.ttlMs
      await store.add({ hash: hashOf(token), accountId, createdAt: now, expiresAt })
      return { token, expiresAt }
    },

    /** The owner of a token that was looked up a moment ago; undefined says nothing. Costs no waiting. */
    believed(token: string): (TokenOwner & { hash: string }) | undefined {
      const now = clock.now()
      const known = believed.get(token)
      return known !== undefined && known.until > now && known.owner.expiresAt > now ? known.owner : undefined
    },

    /** Who holds this token; undefined for anything that is not a live token of ours. */
    async owner(token: string): Promise<(TokenOwner & { hash: string }) | undefined> {
      const now = clock.now()
      const known = believed.get(token)
      if (known !== undefined && known.until > now && known.owner.expiresAt > now) return known.owner
      if (!SHAPE.test(token)) return undefined
      const hash = hashOf(token)
      const found = await store.owner(hash, now)
      believed.delete(token)
      if (found === undefined) return undefined
      const owner = { ...found, hash }
      if (believed.size >= REMEMBERED_MAX) believed.clear()
      believed.set(token, { owner, until: now + BELIEVED_MS })
      return owner
    },

    async revoke(hash: string): Promise<void> {
      await store.revoke(hash, clock.now())
      for (const [token, { owner }] of believed) if (owner.hash === hash) believed.delete(token)
    },
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
