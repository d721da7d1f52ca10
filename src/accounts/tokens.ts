import type { Clock } from '../lib/time/clock.ts'
import { newSecret, rememberHolders, secretHash } from './remembered-holders.ts'
import type { Account } from './store/accounts.ts'
import { isSessionId, type Session, type TokenOwner, type TokenStore } from './store/tokens.ts'

export type Tokens = ReturnType<typeof createTokens>

/** Who holds a live token. */
type TokenHolder = TokenOwner & { readonly tokenHash: string }

const PREFIX = 'srt_'
const SHAPE = /^srt_[A-Za-z0-9_-]{43}$/
/** Older ones are not listed; they expire within a day. */
export const SESSIONS_MAX = 1_000

export function createTokens(deps: { store: TokenStore; clock: Clock; ttlMs: number }) {
  const { store, clock } = deps
  const holders = rememberHolders(clock, SHAPE, async (tokenHash, now): Promise<TokenHolder | undefined> => {
    const owner = await store.owner(tokenHash, now)
    return owner && { ...owner, tokenHash }
  })
  const forget = (hash: string) => holders.forget(({ tokenHash }) => tokenHash === hash)

  return {
    /** Undefined where the password has been changed, or the account disabled, since this account was read. */
    async issue({ id: accountId, passwordHash }: Pick<Account, 'id' | 'passwordHash'>) {
      const token = newSecret(PREFIX)
      const now = clock.now()
      const expiresAt = now + deps.ttlMs
      const added = await store.add({ hash: secretHash(token), accountId, passwordHash, createdAt: now, expiresAt })
      return added ? { token, expiresAt } : undefined
    },

    /** Who holds this token; undefined for anything that is not a live token of ours. */
    holder: holders.holder,

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
