import { hash } from 'node:crypto'
import { AppError } from '../domain/errors.ts'
import { addressKey } from '../lib/net/address-key.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/time/durations.ts'
import type { OneTimeCodes } from './one-time-codes.ts'
import type { Passwords } from './passwords.ts'
import { createSlowLane } from './slow-lane.ts'
import { type Account, type AccountStore, emailKey } from './store/accounts.ts'
import type { SignInStore, SlowdownKey } from './store/sign-ins.ts'
import type { Tokens } from './tokens.ts'

export type SignedIn = { readonly token: string; readonly expiresAt: number; readonly account: Account }
/** `address`: IP address of the caller. `code`: one-time code, if the account uses them. */
type WithPassword<Result> = (email: string, password: string, address: string, code?: string) => Promise<Result>
export type SignIn = WithPassword<SignedIn>
/** Resolves with the account if password and code are valid. */
export type CheckPassword = WithPassword<Account>

type Deps = {
  readonly accounts: AccountStore
  readonly signIns: SignInStore
  readonly passwords: Passwords
  readonly oneTimeCodes: Pick<OneTimeCodes, 'check'>
  readonly clock: Clock
  /** Pause between two attempts on an account under attack. */
  readonly pauseMs: number
}

const WINDOW_MS = 15 * MINUTE_MS
/** Wrong codes are counted until a valid one, a new password, or a day without attempts. */
const CODES_WINDOW_MS = 30 * DAY_MS
/** Failures without a delay: per address and account, per address, per account; and wrong codes. */
const FREE = { pair: 5, address: 30, account: 20, codes: 5 } as const
const SLOWED_MAX_MS = HOUR_MS
const WAITING_MAX = 50

type Keys = Readonly<Record<'pair' | 'address' | 'account', SlowdownKey>>

/**
 * Wrong passwords slow down the address that sends them and never lock an account. If an account is attacked from many
 * addresses, attempts are serialised in random order, except from addresses that have signed in to it before. Unknown e-mail, wrong
 * password and disabled account have the same response and timing.
 */
export function createCheckPassword(deps: Deps): CheckPassword {
  const { accounts, signIns, passwords, clock } = deps
  const slowLane = createSlowLane(deps.pauseMs)
  const isCodeRight = createCodeCheck(deps)

  return async function checkPassword(email, password, address, code) {
    const keys = slowdownKeys(email, address)
    const isKnown = await signIns.isKnown(keys.pair.hash)
    await refuseIfSlowed(keys.pair)
    if (!isKnown) {
      await refuseIfSlowed(keys.address)
      await slowDown(keys)
      if (passwords.waiting() >= WAITING_MAX) throw tooMany('Too many concurrent sign-ins. Try again shortly.')
    }

    const account = await accounts.byEmail(email)
    const matches = await passwords.matches(account?.passwordHash, password, isKnown)
    if (account === undefined || !matches || account.disabledAt !== undefined) {
      await recordFailure(keys)
      throw wrongCredentials()
    }
    if (!(await isCodeRight(account, code))) {
      await recordFailure(keys)
      throw new AppError('invalid_credentials', 'The one-time code is wrong, expired or already used.')
    }

    // Failures of this address at other accounts, and of other addresses, remain counted.
    await signIns.clear(keys.pair.hash)
    await signIns.remember(keys.pair.hash, clock.now())
    await accounts.noteSignIn(account.id, clock.now())
    return account
  }

  async function refuseIfSlowed({ hash: key }: SlowdownKey): Promise<void> {
    const now = clock.now()
    const leftMs = (await signIns.slowdown(key, now - WINDOW_MS)).slowedUntil - now
    if (leftMs <= 0) return
    const minutes = Math.ceil(leftMs / MINUTE_MS)
    const message = `Too many failed sign-ins from your address. Try again in ${minutes} min. Other addresses are not affected.`
    throw new AppError('sign_in_locked', message, { retryAfterMs: leftMs })
  }

  async function slowDown({ account, address }: Keys): Promise<void> {
    const { failures } = await signIns.slowdown(account.hash, clock.now() - WINDOW_MS)
    if (failures < FREE.account) return
    if (!(await slowLane.enter(account.hash, address.hash)))
      throw tooMany('Sign-ins to this account are slowed down after many failures. Try again shortly.')
  }

  async function recordFailure({ pair, address, account }: Keys): Promise<void> {
    const now = clock.now()
    await signIns.record(pair, now, WINDOW_MS, (failures) => slowFor(failures, FREE.pair))
    await signIns.record(address, now, WINDOW_MS, (failures) => slowFor(failures, FREE.address))
    await signIns.record(account, now, WINDOW_MS, () => 0)
  }
}

/** A caller with the password may use many addresses, so wrong codes are counted per account. */
function createCodeCheck({ signIns, oneTimeCodes, clock }: Pick<Deps, 'signIns' | 'oneTimeCodes' | 'clock'>) {
  return async function isCodeRight(account: Account, code: string | undefined): Promise<boolean> {
    if (account.totpSecret === undefined) return true
    if (code === undefined || code === '')
      throw new AppError('totp_required', 'This account requires a one-time code. Send it as user.totp.')

    const key = { hash: hash('sha256', `codes ${account.id}`), emailHash: emailHash(account.email) }
    const slowForCodes = (failures: number) => slowFor(failures, FREE.codes)
    const leftMs = await signIns.attempt(key, clock.now(), CODES_WINDOW_MS, slowForCodes)
    if (leftMs > 0) {
      const minutes = Math.ceil(leftMs / MINUTE_MS)
      const message = `Too many wrong one-time codes for this account. Codes are accepted again in ${minutes} min, from any address. The password is not locked.`
      throw new AppError('sign_in_locked', message, { retryAfterMs: leftMs })
    }
    const isRight = await oneTimeCodes.check(account, code)
    if (isRight) await signIns.clear(key.hash)
    return isRight
  }
}

export const createSignIn =
  (checkPassword: CheckPassword, tokens: Pick<Tokens, 'issue'>): SignIn =>
  async (email, password, address, code) => {
    const account = await checkPassword(email, password, address, code)
    const issued = await tokens.issue(account)
    if (issued === undefined) throw wrongCredentials()
    return { ...issued, account }
  }

/** Also thrown if the password changes while it is being checked. */
export const wrongCredentials = () =>
  new AppError('invalid_credentials', 'There is no enabled account with this e-mail and password.')

const tooMany = (message: string) => new AppError('overloaded', message, { retryAfterMs: 2_000 })

/** One minute, doubled with each further failure. */
function slowFor(failures: number, free: number): number {
  return failures < free ? 0 : Math.min(SLOWED_MAX_MS, 60_000 * 2 ** (failures - free))
}

/** Hashed, so that the table does not reveal e-mails and addresses. */
export const emailHash = (email: string): string => hash('sha256', emailKey(email))

export const pairHash = (email: string, address: string): string =>
  hash('sha256', `pair ${addressKey(address)} ${emailKey(email)}`)

const slowdownKeys = (email: string, address: string): Keys => ({
  pair: { hash: pairHash(email, address), emailHash: emailHash(email) },
  address: { hash: hash('sha256', `address ${addressKey(address)}`), emailHash: null },
  account: { hash: hash('sha256', `account ${emailKey(email)}`), emailHash: emailHash(email) },
})
