import { instantOf, zonedIso } from '../lib/zoned-time.ts'
import { type Money, zero } from './money.ts'
import type { CancelTerms } from './offer.ts'

/** The specification's view of structured terms at one moment: what holds, and until when. */
export type CancelPolicy = { readonly cancelation: 'free' | 'partial' | 'none'; readonly expires: string }

type Frame = {
  readonly total: Money
  readonly checkIn: string
  readonly checkInTime: string
  readonly timezone: string
  readonly now: number
}

/** Terms the vendor did not give are never called free: the cautious reading is that nothing comes back. */
export function cancelPolicyOf(terms: CancelTerms | undefined, frame: Frame): CancelPolicy {
  const checkIn = instantOf(frame.checkIn, frame.checkInTime === '' ? '15:00' : frame.checkInTime, frame.timezone)
  const atCheckIn = zonedIso(checkIn, frame.timezone)
  if (terms === undefined) return { cancelation: 'none', expires: atCheckIn }
  const penalty = penaltyAt(terms, frame.total, frame.now)
  const next = sorted(terms).find((one) => Date.parse(one.from) > frame.now)
  if (penalty.minor === 0)
    return { cancelation: 'free', expires: next === undefined ? atCheckIn : inZone(next.from, frame.timezone) }
  if (penalty.minor >= frame.total.minor) return { cancelation: 'none', expires: atCheckIn }
  return { cancelation: 'partial', expires: next === undefined ? atCheckIn : inZone(next.from, frame.timezone) }
}

/** What cancelling costs at `now`; steps replace one another, they do not add up. */
export function penaltyAt(terms: CancelTerms | undefined, total: Money, now: number): Money {
  if (terms === undefined) return total
  const inForce = sorted(terms).findLast(
    (one) => Date.parse(one.from) <= now && (one.until === undefined || Date.parse(one.until) > now),
  )
  if (inForce === undefined) return terms.refundable || terms.penalties.length > 0 ? zero(total.currency) : total
  return inForce.amount.minor > total.minor ? total : inForce.amount
}

const sorted = (terms: CancelTerms) => [...terms.penalties].sort((a, b) => Date.parse(a.from) - Date.parse(b.from))

const inZone = (iso: string, timezone: string) => zonedIso(Date.parse(iso), timezone)
