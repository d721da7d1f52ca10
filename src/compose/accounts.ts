import { createApiKeys, looksLikeKey } from '../accounts/api-keys.ts'
import { createAudit } from '../accounts/audit.ts'
import { createManageAccounts } from '../accounts/manage-accounts.ts'
import { createManageKeys } from '../accounts/manage-keys.ts'
import { createOwnsOffer } from '../accounts/offer-owner.ts'
import { createOneTimeCodes } from '../accounts/one-time-codes.ts'
import { createOpenSessions, pageSource } from '../accounts/open-sessions.ts'
import { createOperatorAccounts } from '../accounts/operator-accounts.ts'
import { createPageSessions } from '../accounts/page-sessions.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { createCheckPassword, createSignIn } from '../accounts/sign-in.ts'
import { createAccountStore } from '../accounts/store/accounts.ts'
import { createApiKeyStore } from '../accounts/store/api-keys.ts'
import { createAuditStore } from '../accounts/store/audit-log.ts'
import { createGuestStore } from '../accounts/store/guests.ts'
import { createIdempotentRequests } from '../accounts/store/idempotent-requests.ts'
import { createPageSessionStore } from '../accounts/store/page-sessions.ts'
import { createSignInStore } from '../accounts/store/sign-ins.ts'
import { createTokenStore } from '../accounts/store/tokens.ts'
import { createTokens } from '../accounts/tokens.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'
import { deriveKeyring } from '../lib/crypto/keyring.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import type { Core } from './core.ts'

/**
 * Expired tokens are kept so that clients get "expired" instead of "unknown". Takeovers (guest to account) are kept so that
 * a repeated booking request still finds its first response.
 */
const KEEP = { expiredMs: DAY_MS, addressesMs: 90 * DAY_MS, takeoversMs: 365 * DAY_MS }
/** Maximum duration of work that a guest started before signing in. */
const LATE_MS = DAY_MS

type Parts = Pick<Core, 'config' | 'clock' | 'ids' | 'database'> & { rates(): ExchangeRates }
export type ComposedAccounts = ReturnType<typeof composeAccounts>

export function composeAccounts({ config, clock, ids, database, rates }: Parts) {
  const accounts = createAccountStore(database)
  const signIns = createSignInStore(database)
  const passwords = createPasswords()
  const tokenStore = createTokenStore(database)
  const tokens = createTokens({ store: tokenStore, clock, ttlMs: config.tokenTtlMs })
  const sessionStore = createPageSessionStore(database)
  const pageSessions = createPageSessions({ store: sessionStore, clock, ids, ttlMs: config.tokenTtlMs })
  const guests = createGuestStore(database)
  const keyStore = createApiKeyStore(database)
  const idempotentRequests = createIdempotentRequests(database, deriveKeyring(config.secrets, 'idempotency'), clock)
  const apiKeys = createApiKeys({ store: keyStore, clock })
  const oneTimeCodes = createOneTimeCodes({ accounts, keyring: deriveKeyring(config.secrets, 'totp'), clock })
  const pauseMs = config.signInPauseMs
  const checkPassword = createCheckPassword({ accounts, signIns, passwords, oneTimeCodes, clock, pauseMs })
  const manageKeys = createManageKeys({ store: keyStore, apiKeys, database, rates, clock, ids })
  const manageAccounts = createManageAccounts({ accounts, signIns, passwords, clock, ids })
  const openSessions = createOpenSessions({ token: tokens, page: pageSource(sessionStore, pageSessions, clock) })
  return {
    tokens,
    callers: { holder: (token: string) => (looksLikeKey(token) ? apiKeys : tokens).holder(token) },
    manageKeys,
    openSessions,
    operatorAccounts: createOperatorAccounts({ accounts, manageAccounts, manageKeys, openSessions, clock }),
    audit: createAudit({ store: createAuditStore(database), clock, ids }),
    oneTimeCodes,
    checkPassword,
    signIn: createSignIn(checkPassword, tokens),
    pageSessions,
    idempotentRequests,
    ownsOffer: createOwnsOffer(guests),
    /** Guests of the page have no contract with the seller. */
    paysByCard: async ({ id, isGuest }: { readonly id: string; readonly isGuest?: boolean }) =>
      isGuest === true || (await accounts.paysByCard(id)),
    manageAccounts,
    async deleteExpired(): Promise<void> {
      const now = clock.now()
      await tokenStore.deleteExpired(now - KEEP.expiredMs)
      await sessionStore.deleteExpired(now)
      await guests.moveLateBookings(now - LATE_MS)
      await guests.deleteOld(now - KEEP.takeoversMs)
      await signIns.deleteOld(now - KEEP.expiredMs, now - KEEP.addressesMs)
    },
  }
}
