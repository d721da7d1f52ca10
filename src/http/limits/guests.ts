import type { onRequestAsyncHookHandler } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { GuestAccess } from '../../domain/guest-access.ts'
import type { RateLimiter } from '../../lib/async/rate-limiter.ts'
import { addressKey } from '../../lib/net/address-key.ts'
import { spend } from './rate-limits.ts'

export type GuestLimiters = Readonly<
  Record<
    | 'guest'
    | 'guestSearches'
    | 'guestAddress'
    | 'guestSearchesPerAddress'
    | 'guestBookingsPerAddress'
    | 'newGuestsPerAddress',
    RateLimiter
  >
>

/** All that a guest may ask for; every other operation needs an account. */
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
]
const SIGN_OUT = 'accounts.revoke_token'

/** Guests get less than accounts, and count by their address too: whoever drops the cookie is a new guest. */
export function limitGuests(limiters: GuestLimiters, access: GuestAccess): onRequestAsyncHookHandler {
  const allowed = new Set([SIGN_OUT, ...(access === 'off' ? [] : SEARCHING), ...(access === 'book' ? BOOKING : [])])
  return async ({ caller, ip, routeOptions }) => {
    if (caller?.isGuest !== true) return
    const { operation = '', cost } = routeOptions.config
    if (!allowed.has(operation)) throw signInNeeded()
    const address = addressKey(ip)
    await spend(limiters.guestAddress, address, cost)
    if (operation === 'search.create') {
      await spend(limiters.guestSearches, caller.accountId)
      await spend(limiters.guestSearchesPerAddress, address)
    }
    if (operation === 'booking.create') await spend(limiters.guestBookingsPerAddress, address)
  }
}

/** Whether any guest of any service may ask for it. */
export const isForGuests = (operation = ''): boolean =>
  operation === SIGN_OUT || SEARCHING.includes(operation) || BOOKING.includes(operation)

export const signInNeeded = () => new AppError('sign_in_needed', 'Sign in to do this; guests cannot.')
