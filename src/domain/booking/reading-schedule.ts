import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { addDays, type PlainDate } from '../../lib/time/plain-date.ts'
import { toInstant } from '../../lib/time/zoned-time.ts'
import type { CancelTerms } from '../offer.ts'

/** Maximum number of scheduled readings of a booking. */
export const READINGS_MAX = 12

const WEEK_MS = 7 * DAY_MS
/** Ten minutes and a day after confirming, three days and one day before arrival, on the day. */
const FIXED = 5
/** Readings closer together than this are merged. */
const GAP_MIN_MS = HOUR_MS

export type Watched = {
  readonly bookingId: string
  readonly confirmedAt: number
  readonly checkIn: PlainDate
  readonly timezone: string
  readonly cancel: CancelTerms | undefined
}

/**
 * Times at which a booking is re-read: ten minutes and a day after confirming, weekly (less often if there would be too many),
 * before each penalty, three days and one day before arrival, and on the day. A hash of its id spreads them evenly.
 */
export function readingTimes(watched: Watched): number[] {
  const { confirmedAt } = watched
  const arrival = daysBefore(watched, 0)
  const lastAt = arrival + DAY_MS
  const points = [...afterConfirming(watched), ...beforeSteps(watched), ...beforeArrival(watched)]
    .filter((time) => time > confirmedAt && time < lastAt)
    .sort((a, b) => a - b)
  const fixed = points.filter((time, i) => i === 0 || time - (points[i - 1] ?? 0) >= GAP_MIN_MS)
  return [...fixed, ...weekly(watched, fixed)].sort((a, b) => a - b)
}

export const nextReading = (watched: Watched, after: number): number | undefined =>
  readingTimes(watched).find((time) => time > after)

const RETRY_MAX_MS = 6 * HOUR_MS

/** Exponential back-off: a minute at first, then every six hours. */
export const readingRetryMs = (failures: number): number =>
  Math.min(RETRY_MAX_MS, MINUTE_MS * 2 ** Math.min(failures, 9))

/** Hashes the booking's id to a number from 0 to 1. */
function hashToFraction({ bookingId }: Watched, salt: number): number {
  let hash = 2_166_136_261 ^ salt
  for (const char of bookingId) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

function afterConfirming(watched: Watched): number[] {
  const { confirmedAt } = watched
  return [
    confirmedAt + 10 * MINUTE_MS + hashToFraction(watched, 1) * 2 * MINUTE_MS,
    confirmedAt + DAY_MS + hashToFraction(watched, 2) * 2 * HOUR_MS,
  ]
}

/** In the day before each penalty, early enough to act. */
function beforeSteps(watched: Watched): number[] {
  const { confirmedAt, cancel } = watched
  const steps = new Set(
    (cancel?.penalties ?? []).map(({ from }) => Date.parse(from)).filter((time) => time > confirmedAt),
  )
  return [...steps]
    .sort((a, b) => a - b)
    .slice(0, READINGS_MAX - FIXED)
    .map((step) => step - Math.min(2 * HOUR_MS + hashToFraction(watched, 3) * 22 * HOUR_MS, (step - confirmedAt) / 2))
}

function beforeArrival(watched: Watched): number[] {
  const byDay = (salt: number) => 8 * HOUR_MS + hashToFraction(watched, salt) * 12 * HOUR_MS
  return [
    daysBefore(watched, 3) + byDay(4),
    daysBefore(watched, 1) + byDay(5),
    daysBefore(watched, 0) + 6 * HOUR_MS + hashToFraction(watched, 6) * 4 * HOUR_MS,
  ]
}

const daysBefore = ({ checkIn, timezone }: Watched, days: number): number =>
  toInstant(addDays(checkIn, -days), '00:00', timezone)

/** From the day after confirming to three days before arrival, as far as the limit allows. */
function weekly(watched: Watched, fixed: readonly number[]): number[] {
  const from = watched.confirmedAt + DAY_MS
  const span = daysBefore(watched, 3) - from
  const weeks = Math.ceil(span / WEEK_MS) - 1
  const room = READINGS_MAX - fixed.length
  const count = Math.min(weeks, room)
  if (count < 1) return []
  const everyMs = weeks <= room ? WEEK_MS : span / (count + 1)
  const shift = hashToFraction(watched, 7) * DAY_MS
  return Array.from({ length: count }, (_, i) => Math.round(from + (i + 1) * everyMs - shift))
}
