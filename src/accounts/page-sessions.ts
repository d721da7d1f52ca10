import type { Role } from '../domain/access.ts'
import { GUEST_ID_PREFIX } from '../domain/guest-access.ts'
import type { NewSession, PageHolder } from '../domain/page-session.ts'
import type { Ids } from '../lib/crypto/ids.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import { cacheHolders, hashSecret, newSecret } from './holder-cache.ts'
import { wrongCredentials } from './sign-in.ts'
import type { PageSessionStore } from './store/page-sessions.ts'

export type PageSessions = ReturnType<typeof createPageSessions>

const PREFIX = 'srp_'
const SHAPE = /^srp_[A-Za-z0-9_-]{43}$/
/** Guests can return to their bookings within this time after their last visit. */
const GUEST_MS = 30 * DAY_MS
/** Limits renewals to one write a day. */
const RENEWED_EVERY_MS = DAY_MS

type Holder = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Hash of the checked password; guests have none. */
  readonly passwordHash?: string
}

/** Browser sessions, used in place of a token. */
export function createPageSessions(deps: { store: PageSessionStore; clock: Clock; ids: Ids; ttlMs: number }) {
  const { store, clock } = deps
  const holders = cacheHolders(clock, SHAPE, async (sessionHash, now): Promise<PageHolder | undefined> => {
    const owner = await store.owner(sessionHash, now)
    return owner && { ...owner, sessionHash }
  })
  const forget = (hash: string) => holders.forget(({ sessionHash }) => sessionHash === hash)

  /** Always issues a new secret, which prevents session fixation. */
  async function begin(owner: Holder, isGuest: boolean, ttlMs: number, before?: PageHolder): Promise<NewSession> {
    const secret = newSecret(PREFIX)
    const sessionHash = hashSecret(secret)
    const createdAt = clock.now()
    const { id: ownerId, passwordHash, email, name, role } = owner
    const holder = { ownerId, isGuest, email, name, role, expiresAt: createdAt + ttlMs, sessionHash }
    const isBegun = await store.begin(
      { ...holder, hash: sessionHash, passwordHash, createdAt },
      before && { hash: before.sessionHash, ...(before.isGuest ? { guestId: before.ownerId } : {}) },
    )
    if (!isBegun) throw wrongCredentials()
    if (before !== undefined) forget(before.sessionHash)
    return { ...holder, secret }
  }

  return {
    /** The password has been checked. Takes over what the guest did in the session `before`. */
    beginForAccount: (account: Holder, before: PageHolder | undefined): Promise<NewSession> =>
      begin(account, false, deps.ttlMs, before),

    beginForGuest: (): Promise<NewSession> =>
      begin({ id: deps.ids.prefixed(GUEST_ID_PREFIX), email: '', name: '', role: 'client' }, true, GUEST_MS),

    /** Undefined for anything that is not a live session. */
    holder: holders.holder,

    /** Extends a guest's session; returns its new end, or undefined if it stays. */
    async renew({ isGuest, sessionHash, expiresAt }: PageHolder): Promise<number | undefined> {
      const until = clock.now() + GUEST_MS
      if (!isGuest || until - expiresAt < RENEWED_EVERY_MS) return undefined
      await store.extend(sessionHash, until)
      forget(sessionHash)
      return until
    },

    async end(sessionHash: string): Promise<void> {
      await store.end(sessionHash)
      forget(sessionHash)
    },
  }
}
