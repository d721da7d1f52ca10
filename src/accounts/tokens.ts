import type { Clock } from '../lib/time/clock.ts'
import { cacheHolders, hashSecret, newSecret } from './holder-cache.ts'
import type { Account } from './store/accounts.ts'
import { isSessionId, type Session, type TokenOwner, type TokenStore } from './store/tokens.ts'

export type Tokens = ReturnType<typeof createTokens>

type TokenHolder = TokenOwner & { readonly tokenHash: string }

const PREFIX = 'srt_'
const SHAPE = /^srt_[A-Za-z0-9_-]{43}$/
/** Older tokens are not listed; they expire within a day. */
export const SESSIONS_MAX = 1_000

export function createTokens(deps: { store: TokenStore; clock: Clock; ttlMs: number }) {
  const { store, clock } = deps
  const holders = cacheHolders(clock, SHAPE, async (tokenHash, now): Promise<TokenHolder | undefined> => {
    const owner = await store.owner(tokenHash, now)
    return owner && { ...owner, tokenHash }
  })
  const forget = (hash: string) => holders.forget(({ tokenHash }) => tokenHash === hash)

  return {
    /** Undefined if the password has changed or the account was disabled since the account was read. */
    async issue({ id: accountId, passwordHash }: Pick<Account, 'id' | 'passwordHash'>) {
      const token = newSecret(PREFIX)
      const now = clock.now()
      const expiresAt = now + deps.ttlMs
      const added = await store.add({ hash: hashSecret(token), accountId, passwordHash, createdAt: now, expiresAt })
      return added ? { token, expiresAt } : undefined
    },

    /** Undefined for anything that is not a live token. */
    holder: holders.holder,

    async revoke(hash: string): Promise<void> {
      await store.revoke(hash, clock.now())
      forget(hash)
    },

    /** Newest first. */
    sessions: (accountId: string): Promise<Session[]> => store.sessions(accountId, clock.now(), SESSIONS_MAX),

    /** False if the account does not have this session. Takes effect in this process immediately. */
    async endSession(accountId: string, id: string): Promise<boolean> {
      const hash = isSessionId(id) ? await store.endSession(accountId, id, clock.now()) : undefined
      if (hash !== undefined) forget(hash)
      return hash !== undefined
    },
  }
}
