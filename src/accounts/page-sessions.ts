import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Role } from '../domain/access.ts'
import type { Clock } from '../lib/clock.ts'
import type { Ids } from '../lib/ids.ts'
import { atMost } from '../lib/remember.ts'
import type { PageSessionOwner, PageSessionStore } from '../store/page-sessions.ts'
import { wrongCredentials } from './sign-in.ts'

export type PageSessions = ReturnType<typeof createPageSessions>

export type PageHolder = PageSessionOwner & { readonly sessionHash: string }
/** `secret` goes into the cookie and nowhere else. */
export type BegunSession = PageHolder & { readonly secret: string }

const PREFIX = 'srp_'
const SHAPE = /^srp_[A-Za-z0-9_-]{43}$/
/** As with tokens: no query on every request, and a session that was ended elsewhere ends here within a second. */
const REMEMBERED_MS = 800
const REMEMBERED_MAX = 10_000
/** Long enough for a guest to come back to what was booked. */
const GUEST_MS = 30 * 24 * 3_600_000

type Holder = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  /** Of the password that was checked; a guest has none. */
  readonly passwordHash?: string
}

/** Sessions of the page: what a browser holds in place of a token. */
export function createPageSessions(deps: { store: PageSessionStore; clock: Clock; ids: Ids; ttlMs: number }) {
  const { store, clock } = deps
  const remembered = new LRUCache<string, { holder: PageHolder; until: number }>(atMost(REMEMBERED_MAX))

  /** Always under a new secret: one that somebody else may have put into the browser is worth nothing afterwards. */
  async function begin(owner: Holder, isGuest: boolean, ttlMs: number, before?: PageHolder): Promise<BegunSession> {
    const secret = `${PREFIX}${randomBytes(32).toString('base64url')}`
    const sessionHash = hash('sha256', secret)
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

  function forget(sessionHash: string): void {
    for (const [secret, { holder }] of remembered.entries())
      if (holder.sessionHash === sessionHash) remembered.delete(secret)
  }

  return {
    /** For an account whose password has been checked; takes over what a guest did in the session `before`. */
    beginForAccount: (account: Holder, before: PageHolder | undefined): Promise<BegunSession> =>
      begin(account, false, deps.ttlMs, before),

    beginForGuest: (): Promise<BegunSession> =>
      begin({ id: deps.ids.prefixed('gst'), email: '', name: '', role: 'client' }, true, GUEST_MS),

    /** Whose session this is; undefined for anything that is not a live one of ours. */
    async holder(secret: string): Promise<PageHolder | undefined> {
      const now = clock.now()
      const known = remembered.get(secret)
      if (known !== undefined && known.until > now && known.holder.expiresAt > now) return known.holder
      remembered.delete(secret)
      if (!SHAPE.test(secret)) return undefined
      const sessionHash = hash('sha256', secret)
      const owner = await store.owner(sessionHash, now)
      if (owner === undefined) return undefined
      const holder = { ...owner, sessionHash }
      remembered.set(secret, { holder, until: now + REMEMBERED_MS })
      return holder
    },

    async end(sessionHash: string): Promise<void> {
      await store.end(sessionHash)
      forget(sessionHash)
    },
  }
}
