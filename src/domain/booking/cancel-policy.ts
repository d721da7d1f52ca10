import { isClockTime, toInstant, zonedIso } from '../../lib/time/zoned-time.ts'
import { type Money, sameMoney, subtractMoney, zero } from '../money/money.ts'
import type { CancelTerms, Price } from '../offer.ts'

/** Policy in force at one moment, in the format of the specification. */
type CancelPolicy = { readonly cancelation: 'free' | 'partial' | 'none'; readonly expires: string }

type PolicyContext = {
  readonly total: Money
  /** Part of the total that the property collects; not due if the guest does not arrive. */
  readonly dueAtProperty?: Money
  readonly checkIn: string
  readonly checkInTime: string
  readonly timezone: string
  readonly now: number
}

/** Unknown terms are treated as non-refundable. */
export function currentCancelPolicy(terms: CancelTerms | undefined, context: PolicyContext): CancelPolicy {
  const { total, checkIn, checkInTime, timezone, now } = context
  // The vendor's content may be empty or "noon"; a booking must not fail because of it.
  const time = isClockTime(checkInTime) ? checkInTime : '15:00'
  const atCheckIn = zonedIso(toInstant(checkIn, time, timezone), timezone)
  if (terms === undefined) return { cancelation: 'none', expires: atCheckIn }
  const penalty = penaltyAt(terms, total, now)
  const next = sorted(terms).find(({ from }) => Date.parse(from) > now)
  const expires = next === undefined ? atCheckIn : formatInZone(next.from, timezone)
  if (penalty.minor === 0) return { cancelation: 'free', expires }
  if (!terms.refundable || penalty.minor >= fullPenalty(context)) return { cancelation: 'none', expires: atCheckIn }
  return { cancelation: 'partial', expires }
}

/** Converted amounts are rounded individually, so that a sum may be off by this much. */
const ROUNDING_MINOR = 1

/** Penalty from which nothing is refunded. */
function fullPenalty({ total, dueAtProperty }: PolicyContext): number {
  const due = dueAtProperty?.minor ?? 0
  return due > 0 && due < total.minor ? Math.max(1, total.minor - due - ROUNDING_MINOR) : total.minor
}

/**
 * Cancellation fee at `now`: the highest penalty in force. Free before the first one, the full price after the last one;
 * a penalty with unreadable dates is in force.
 */
export function penaltyAt(terms: CancelTerms | undefined, total: Money, now: number): Money {
  if (terms === undefined || (terms.penalties.length === 0 && !terms.refundable)) return total
  const started = terms.penalties.filter(({ from }) => !(Date.parse(from) > now))
  const inForce = started.filter(({ until }) => until === undefined || !(Date.parse(until) <= now))
  if (inForce.length === 0) {
    const allOver = started.length > 0 && started.length === terms.penalties.length
    return allOver ? total : zero(total.currency)
  }
  const highest = inForce.map(({ amount }) => amount).reduce((max, amount) => (amount.minor > max.minor ? amount : max))
  return highest.minor > total.minor ? total : highest
}

/** A fee of the whole price excludes what is due at the property, unless nothing else was paid. */
export function cancelFeeAt(
  terms: CancelTerms | undefined,
  { total, dueAtProperty }: Pick<Price, 'total' | 'dueAtProperty'>,
  now: number,
): Money {
  const fee = penaltyAt(terms, total, now)
  const paid = subtractMoney(total, dueAtProperty)
  return paid.minor > 0 && sameMoney(fee, total) ? paid : fee
}

/** The amount due at the property was never paid, so it is not refunded. */
export function calculateRefund(price: Price, penalty: Money): Money {
  const paid = subtractMoney(price.total, price.dueAtProperty)
  if (penalty.currency !== paid.currency) return paid
  return penalty.minor >= paid.minor ? zero(paid.currency) : subtractMoney(paid, penalty)
}

const sorted = (terms: CancelTerms) => [...terms.penalties].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))

/** Local time at the property. Text that is not a date is returned unchanged. */
export function formatInZone(iso: string, timezone: string): string {
  const instant = Date.parse(iso)
  return Number.isNaN(instant) ? iso : zonedIso(instant, timezone)
}
