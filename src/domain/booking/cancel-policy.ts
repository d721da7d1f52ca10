import { instantOf, isClockTime, zonedIso } from '../../lib/time/zoned-time.ts'
import { type Money, subtractMoney, zero } from '../money/money.ts'
import type { CancelTerms, Price } from '../offer.ts'

/** The specification's view of structured terms at one moment: what holds, and until when. */
type CancelPolicy = { readonly cancelation: 'free' | 'partial' | 'none'; readonly expires: string }

type Frame = {
  readonly total: Money
  /** The part of it that the property collects on the spot; nobody who stays away pays that. */
  readonly dueAtProperty?: Money
  readonly checkIn: string
  readonly checkInTime: string
  readonly timezone: string
  readonly now: number
}

/** Terms the vendor did not give are never called free: the cautious reading is that nothing comes back. */
export function cancelPolicyOf(terms: CancelTerms | undefined, frame: Frame): CancelPolicy {
  // Content may say nothing, or "noon"; a booking must not fail over it.
  const time = isClockTime(frame.checkInTime) ? frame.checkInTime : '15:00'
  const checkIn = instantOf(frame.checkIn, time, frame.timezone)
  const atCheckIn = zonedIso(checkIn, frame.timezone)
  if (terms === undefined) return { cancelation: 'none', expires: atCheckIn }
  const penalty = penaltyAt(terms, frame.total, frame.now)
  const next = sorted(terms).find((one) => Date.parse(one.from) > frame.now)
  if (penalty.minor === 0)
    return { cancelation: 'free', expires: next === undefined ? atCheckIn : inZone(next.from, frame.timezone) }
  if (!terms.refundable || penalty.minor >= everythingOf(frame)) return { cancelation: 'none', expires: atCheckIn }
  return { cancelation: 'partial', expires: next === undefined ? atCheckIn : inZone(next.from, frame.timezone) }
}

/** Converted amounts are rounded one by one: three of them may miss each other by so much. */
const ROUNDING_MINOR = 1

/** What losing everything costs. Where the property collects the whole price, that is the price. */
function everythingOf({ total, dueAtProperty }: Frame): number {
  const due = dueAtProperty?.minor ?? 0
  return due > 0 && due < total.minor ? Math.max(1, total.minor - due - ROUNDING_MINOR) : total.minor
}

/**
 * What cancelling costs at `now`; steps do not add up, the dearest that holds counts. Before the first it is free, after
 * the end of the last nothing comes back, and a step whose dates cannot be read holds.
 */
export function penaltyAt(terms: CancelTerms | undefined, total: Money, now: number): Money {
  if (terms === undefined || (terms.penalties.length === 0 && !terms.refundable)) return total
  const begun = terms.penalties.filter((one) => !(Date.parse(one.from) > now))
  const holding = begun.filter((one) => one.until === undefined || !(Date.parse(one.until) <= now))
  if (holding.length === 0) {
    const allOver = begun.length > 0 && begun.length === terms.penalties.length
    return allOver ? total : zero(total.currency)
  }
  const dearest = holding.reduce((most, one) => (one.amount.minor > most.amount.minor ? one : most))
  return dearest.amount.minor > total.minor ? total : dearest.amount
}

/** What comes back of what was paid. What would have been due at the property was never paid. */
export function refundOf(price: Price, penalty: Money): Money {
  const paid = subtractMoney(price.total, price.dueAtProperty)
  if (penalty.currency !== paid.currency) return paid
  return penalty.minor >= paid.minor ? zero(paid.currency) : subtractMoney(paid, penalty)
}

const sorted = (terms: CancelTerms) => [...terms.penalties].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))

/** A moment as the property's clocks show it; what cannot be read stays as the vendor wrote it. */
export function inZone(iso: string, timezone: string): string {
  const instant = Date.parse(iso)
  return Number.isNaN(instant) ? iso : zonedIso(instant, timezone)
}
