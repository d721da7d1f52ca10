import { LRUCache } from 'lru-cache'
import { addDays, type PlainDate } from '../../../src/lib/time/plain-date.ts'
import { toInstant, zonedIso } from '../../../src/lib/time/zoned-time.ts'
import { todayIn } from '../../server/stay-dates.ts'
import type { WorldProperty, WorldRate } from '../../world/contract.ts'

/** Cancelling costs `minor` from `at` on. */
export type CancelStep = { readonly at: number; readonly from: string; readonly minor: number }

/**
 * Hotelbeds' cancellation policies: absolute amounts from 23:59 local time of a day. A non-refundable rate costs
 * everything since yesterday; the others are free until their day, and some cost half before they cost everything.
 */
export function computeCancelSteps(
  property: WorldProperty,
  rate: WorldRate,
  checkIn: PlainDate,
  netMinor: number,
  now: number,
  isBound = false,
): CancelStep[] {
  const { timezone } = property.place
  if (!rate.refundable || isBound) {
    return [{ ...endOfDay(addDays(todayIn(timezone, now), -1), timezone), minor: netMinor }]
  }
  const daysFree = Math.max(1, Math.ceil(rate.freeCancelHours / 24))
  const last = { ...endOfDay(addDays(checkIn, -daysFree), timezone), minor: netMinor }
  if (property.key % 3 !== 0 || daysFree < 2) return [last]
  return [
    { ...last, minor: Math.round(netMinor / 2) },
    { ...endOfDay(addDays(checkIn, -1), timezone), minor: netMinor },
  ]
}

export const feeAt = (steps: readonly CancelStep[], now: number): number =>
  steps.findLast((step) => step.at <= now)?.minor ?? 0

type Moment = { readonly at: number; readonly from: string }

/** Cached because computing a time zone's offset is slow, and properties of a town share their days. */
const moments = new LRUCache<string, Moment>({ max: 5_000 })

function endOfDay(date: PlainDate, timezone: string): Moment {
  const key = `${date} ${timezone}`
  const known = moments.get(key)
  if (known !== undefined) return known
  const at = toInstant(date, '23:59', timezone)
  const made = { at, from: zonedIso(at, timezone) }
  moments.set(key, made)
  return made
}
