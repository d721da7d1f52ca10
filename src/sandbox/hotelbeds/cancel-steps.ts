import { addDays, type PlainDate } from '../../lib/plain-date.ts'
import { instantOf, zonedIso } from '../../lib/zoned-time.ts'
import type { WorldProperty, WorldRate } from '../world/contract.ts'
import { todayIn } from './today.ts'

/** From `at` on, cancelling costs `minor`. */
export type CancelStep = { readonly at: number; readonly from: string; readonly minor: number }

/**
 * Hotelbeds' way of cancelling: absolute amounts from 23:59 local time of a day on. A rate that is not refundable
 * costs everything since yesterday; the others are free until their day, and some cost half before they cost all.
 */
export function cancelStepsOf(
  property: WorldProperty,
  rate: WorldRate,
  checkIn: PlainDate,
  netMinor: number,
  now: number,
): CancelStep[] {
  const { timezone } = property.place
  if (!rate.refundable) {
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

/** Working out a zone's offset is slow, and the houses of a town share their days. */
const remembered = new Map<string, Moment>()
const REMEMBERED_MAX = 5_000

function endOfDay(date: PlainDate, timezone: string): Moment {
  const key = `${date} ${timezone}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  const at = instantOf(date, '23:59', timezone)
  const made = { at, from: zonedIso(at, timezone) }
  remembered.set(key, made)
  return made
}
