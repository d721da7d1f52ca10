import { type Static, Type } from 'typebox'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/time/durations.ts'
import type { LimitKind, Quota } from './capabilities.ts'
import type { CallClass } from './transport/call.ts'

const Limit = Type.Optional(Type.Integer({ minimum: 1 }))

/**
 * Limits of the account with the vendor, for all nodes together; calls at once are per process. Bookings have their
 * own, so that they never wait behind searches.
 */
export const CallLimits = Type.Object(
  {
    searchPerSecond: Limit,
    searchPerMinute: Limit,
    searchPerDay: Limit,
    searchAtOnce: Limit,
    bookingPerSecond: Limit,
    bookingAtOnce: Limit,
    contentPerSecond: Limit,
    contentAtOnce: Limit,
  },
  { additionalProperties: false },
)
export type CallLimits = Static<typeof CallLimits>

const KINDS: Readonly<Record<CallClass, LimitKind>> = {
  search: 'search',
  price_check: 'booking',
  book: 'booking',
  manage: 'booking',
  content: 'content',
}
export const limitKind = (callClass: CallClass): LimitKind => KINDS[callClass]

/** Maximum number of calls in flight. A search of a thousand properties may be two dozen calls to one vendor. */
const AT_ONCE: Readonly<Record<CallClass, number>> = { content: 8, search: 96, price_check: 32, book: 32, manage: 16 }

export const limitAtOnce = (callClass: CallClass, limits: CallLimits): number =>
  limits[`${limitKind(callClass)}AtOnce`] ?? AT_ONCE[callClass]

export const listQuotas = (limits: CallLimits): Quota[] =>
  (
    [
      ['search', limits.searchPerSecond, SECOND_MS],
      ['search', limits.searchPerMinute, MINUTE_MS],
      ['search', limits.searchPerDay, DAY_MS],
      ['booking', limits.bookingPerSecond, SECOND_MS],
      ['content', limits.contentPerSecond, SECOND_MS],
    ] as const
  ).flatMap(([kind, amount, windowMs]) => (amount === undefined ? [] : [{ kind, amount, windowMs }]))
