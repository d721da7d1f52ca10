import { createHash } from 'node:crypto'
import { AppError } from '../domain/app-error.ts'
import type { Clock } from '../lib/clock.ts'
import { type Account, type AccountStore, emailKey } from '../store/accounts.ts'
import type { SignInFailureStore } from '../store/sign-in-failures.ts'
import type { Passwords } from './passwords.ts'
import type { Tokens } from './tokens.ts'

export type SignedIn = { readonly token: string; readonly expiresAt: number; readonly account: Account }
export type SignIn = (email: string, password: string) => Promise<SignedIn>

type Deps = {
  accounts: AccountStore
  failures: SignInFailureStore
  passwords: Passwords
  tokens: Tokens
  clock: Clock
}

const WINDOW_MS = 15 * 60_000
const FREE_FAILURES = 5
const LOCK_MAX_MS = 60 * 60_000
const WAITING_MAX = 50

/** Unknown e-mail, wrong password and disabled account look and take the same; only the lock-out tells itself. */
export function createSignIn(deps: Deps): SignIn {
  const { accounts, failures, passwords, tokens, clock } = deps

  return async function signIn(email, password) {
    const key = emailHash(email)
    await refuseLocked(key)
    if (passwords.waiting() >= WAITING_MAX) {
      throw new AppError('overloaded', 'Too many sign-ins at once; try again shortly.', { retryAfterMs: 2_000 })
    }

    const account = await accounts.byEmail(email)
    const matches = await passwords.matches(account?.passwordHash, password)
    if (account === undefined || !matches || account.disabledAt !== undefined) {
      await failures.record(key, clock.now(), WINDOW_MS, lockFor)
      throw new AppError('invalid_credentials', 'There is no enabled account with this e-mail and password.')
    }

    await failures.clear(key)
    return { ...(await tokens.issue(account.id)), account }
  }

  async function refuseLocked(key: string): Promise<void> {
    const leftMs = (await failures.lockedUntil(key)) - clock.now()
    if (leftMs <= 0) return
    const minutes = Math.ceil(leftMs / 60_000)
    throw new AppError('sign_in_locked', `Too many failed sign-ins for this e-mail; try again in ${minutes} min.`, {
      retryAfterMs: leftMs,
    })
  }
}

/** The fifth failure locks for a minute, each further one twice as long. */
function lockFor(failureCount: number): number {
  if (failureCount < FREE_FAILURES) return 0
  return Math.min(LOCK_MAX_MS, 60_000 * 2 ** (failureCount - FREE_FAILURES))
}

/** Locks are kept by hash, so that the table tells nobody which e-mails were tried. */
export const emailHash = (email: string): string => createHash('sha256').update(emailKey(email)).digest('hex')
