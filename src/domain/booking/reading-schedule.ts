import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import { addDays, type PlainDate } from '../../lib/time/plain-date.ts'
import { instantOf } from '../../lib/time/zoned-time.ts'
import type { CancelTerms } from '../offer.ts'

/** How often a booking is read again at the vendor by the schedule, at most. */
export const READINGS_MAX = 12

const WEEK_MS = 7 * DAY_MS
/** Ten minutes and a day after confirming, three days and one day before arrival, on the day. */
const FIXED = 5
/** Two readings nearer to each other than this are one. */
const GAP_MIN_MS = HOUR_MS

/** What the schedule of a booking depends on. */
export type Watched = {
  readonly bookingId: string
  readonly confirmedAt: number
  readonly checkIn: PlainDate
  readonly timezone: string
  readonly cancel: CancelTerms | undefined
}

/**
 * When a booking is read again: ten minutes and a day after confirming, weekly, before each penalty step, three days and one
 * day before arrival, and in the morning of the day. Each booking has its own place in each span, so that readings are spread
 * evenly. Where weekly readings would be too many, they are made less often.
 */
export function readingTimes(watched: Watched): number[] {
  const { confirmedAt } = watched
  const arrival = daysBefore(watched, 0)
  const lastAt = arrival + DAY_MS
  const points = [...afterConfirming(watched), ...beforeSteps(watched), ...beforeArrival(watched)]
    .filter((at) => at > confirmedAt && at < lastAt)
    .sort((a, b) => a - b)
  const fixed = points.filter((at, place) => place === 0 || at - (points[place - 1] ?? 0) >= GAP_MIN_MS)
  return [...fixed, ...weekly(watched, fixed)].sort((a, b) => a - b)
}

/** The next one after a moment; undefined once there is none. */
export const nextReading = (watched: Watched, after: number): number | undefined =>
  readingTimes(watched).find((at) => at > after)

const RETRY_MAX_MS = 6 * HOUR_MS

/** How long to wait after a reading that failed, and `failures` before it: soon at first, then a few times a day. */
export const readingRetryMs = (failures: number): number =>
  Math.min(RETRY_MAX_MS, MINUTE_MS * 2 ** Math.min(failures, 9))

/** A number from 0 to 1 that is the booking's own. */
function placeOf({ bookingId }: Watched, salt: number): number {
  let hash = 2_166_136_261 ^ salt
  for (const sign of bookingId) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32
}

function afterConfirming(watched: Watched): number[] {
  const { confirmedAt } = watched
  return [
    confirmedAt + 10 * MINUTE_MS + placeOf(watched, 1) * 2 * MINUTE_MS,
    confirmedAt + DAY_MS + placeOf(watched, 2) * 2 * HOUR_MS,
  ]
}

/** In the day before each step, and so early that something can still be done. */
function beforeSteps(watched: Watched): number[] {
  const { confirmedAt, cancel } = watched
  const steps = new Set((cancel?.penalties ?? []).map(({ from }) => Date.parse(from)).filter((at) => at > confirmedAt))
  return [...steps]
    .sort((a, b) => a - b)
    .slice(0, READINGS_MAX - FIXED)
    .map((step) => step - Math.min(2 * HOUR_MS + placeOf(watched, 3) * 22 * HOUR_MS, (step - confirmedAt) / 2))
}

function beforeArrival(watched: Watched): number[] {
  const byDay = (salt: number) => 8 * HOUR_MS + placeOf(watched, salt) * 12 * HOUR_MS
  return [
    daysBefore(watched, 3) + byDay(4),
    daysBefore(watched, 1) + byDay(5),
    daysBefore(watched, 0) + 6 * HOUR_MS + placeOf(watched, 6) * 4 * HOUR_MS,
  ]
}

const daysBefore = ({ checkIn, timezone }: Watched, days: number): number =>
  instantOf(addDays(checkIn, -days), '00:00', timezone)

/** As many as the others leave room for, from the day after confirming to three days before arrival. */
function weekly(watched: Watched, fixed: readonly number[]): number[] {
  const from = watched.confirmedAt + DAY_MS
  const span = daysBefore(watched, 3) - from
  const weeks = Math.ceil(span / WEEK_MS) - 1
  const room = READINGS_MAX - fixed.length
  const count = Math.min(weeks, room)
  if (count < 1) return []
  const everyMs = weeks <= room ? WEEK_MS : span / (count + 1)
  const shift = placeOf(watched, 7) * DAY_MS
  return Array.from({ length: count }, (_, place) => Math.round(from + (place + 1) * everyMs - shift))
}
