import { spend } from '../../http/limits/rate-limits.ts'
import type { RateLimiter } from '../../lib/async/rate-limiter.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import { pairHash } from '../sign-in.ts'

/** Shared by signing in for a token and for a browser session. */

export type SignInLimiters = { signInsPerAddress: RateLimiter; signInsPerPair: RateLimiter }

/** Counts an attempt per address, and per address and e-mail. */
export async function spendSignIn(limiters: SignInLimiters, email: string, address: string): Promise<void> {
  await spend(limiters.signInsPerAddress, addressKey(address))
  await spend(limiters.signInsPerPair, pairHash(email, address))
}

export const SIGN_IN_REFUSALS = ['invalid_credentials', 'totp_required', 'invalid_request', 'sign_in_locked'] as const
