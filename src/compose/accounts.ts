import { createManageAccounts } from '../accounts/manage-accounts.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { createSignIn } from '../accounts/sign-in.ts'
import { createTokens } from '../accounts/tokens.ts'
import { createAccountStore } from '../store/accounts.ts'
import { createSignInStore } from '../store/sign-ins.ts'
import { createTokenStore } from '../store/tokens.ts'
import type { Core } from './core.ts'

const DAY_MS = 24 * 3_600_000
/** An expired token is kept for a day, so that a client is told "expired"; an address that has signed in for a quarter. */
const KEEP = { expiredMs: DAY_MS, addressesMs: 90 * DAY_MS }

/** Who may call, and how they prove it. */
export function composeAccounts({ config, clock, ids, database }: Core) {
  const accounts = createAccountStore(database)
  const signIns = createSignInStore(database)
  const passwords = createPasswords()
  const tokenStore = createTokenStore(database)
  const tokens = createTokens({ store: tokenStore, clock, ttlMs: config.tokenTtlMs })
  return {
    tokens,
    signIn: createSignIn({ accounts, signIns, passwords, tokens, clock }),
    manageAccounts: createManageAccounts({ accounts, signIns, passwords, clock, ids }),
    async deleteExpired(): Promise<void> {
      const now = clock.now()
      await tokenStore.deleteExpired(now - KEEP.expiredMs)
      await signIns.deleteOld(now - KEEP.expiredMs, now - KEEP.addressesMs)
    },
  }
}
