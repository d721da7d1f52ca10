import type { onRequestAsyncHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { GuestAccess } from '../../domain/guest-access.ts'
import type { RateLimiter } from '../../lib/async/rate-limiter.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import type { GUEST_ALLOWANCES } from './guest-allowances.ts'
import { spend } from './rate-limits.ts'

export type GuestLimiters = Readonly<Record<keyof typeof GUEST_ALLOWANCES, RateLimiter>>

/** Operations open to guests; all others need an account. */
const SEARCHING = [
  'locations.search',
  'locations.neighbourhoods',
  'search.create',
  'search.list',
  'search.availability',
  'search.detail',
]
const BOOKING = [
  'booking.check_price',
  'booking.create',
  'booking.list',
  'booking.show',
  'booking.cancel',
  'booking.voucher',
  'booking.receipt',
  'payments.create',
  'payments.show',
  'payments.release',
]
const SIGN_OUT = 'accounts.revoke_token'

/** Guests are also limited by IP address, because a client that drops the cookie is a new guest. */
export function limitGuests(limiters: GuestLimiters, access: GuestAccess): onRequestAsyncHookHandler {
  const allowed = new Set([SIGN_OUT, ...(access === 'off' ? [] : SEARCHING), ...(access === 'book' ? BOOKING : [])])
  return async ({ caller, ip, routeOptions }) => {
    if (caller?.isGuest !== true || caller.isLinked === true) return
    const { operation = '', cost } = routeOptions.config
    if (!allowed.has(operation)) throw signInNeeded()
    const address = addressKey(ip)
    await spend(limiters.guestAddress, address, cost)
    if (operation === 'search.create') {
      await spend(limiters.guestSearches, caller.accountId)
      await spend(limiters.guestSearchesPerAddress, address)
    }
    if (operation === 'booking.create') await spend(limiters.guestBookingsPerAddress, address)
    if (operation === 'payments.create') await spend(limiters.guestPaymentsPerAddress, address)
  }
}

/** True if guests may call the operation, given the highest guest access. */
export const isForGuests = (operation = ''): boolean =>
  operation === SIGN_OUT || SEARCHING.includes(operation) || BOOKING.includes(operation)

export const signInNeeded = () => new AppError('sign_in_needed', 'Guests cannot do this. Sign in first.')
