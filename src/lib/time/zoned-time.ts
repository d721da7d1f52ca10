import { LRUCache } from 'lru-cache'
import { lruLimit, memoize } from '../async/memoize.ts'
import { MINUTE_MS } from './durations.ts'
import type { PlainDate } from './plain-date.ts'

const CACHED_MAX = 20_000
/** Offsets have only ever changed on a quarter of an hour. */
const QUARTER_MS = 900_000

const offsets = new LRUCache<string, number>(lruLimit(CACHED_MAX))

/** Offset of `timeZone` from UTC at `instant`. */
export function offsetMinutes(timeZone: string, instant: number): number {
  const key = `${timeZone} ${Math.floor(instant / QUARTER_MS)}`
  let minutes = offsets.get(key)
  if (minutes === undefined) {
    minutes = readOffset(timeZone, instant)
    offsets.set(key, minutes)
  }
  return minutes
}

/** Larger than the number of time zones, about 600. */
const offsetFormat = memoize(
  1_000,
  (timeZone: string) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
)

function readOffset(timeZone: string, instant: number): number {
  const name =
    offsetFormat(timeZone)
      .formatToParts(instant)
      .find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const parts = /GMT([+-])(\d{2}):(\d{2})/.exec(name)
  if (parts === null) return 0
  return (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3]))
}

/** `HH:MM`. */
export const isClockTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)

/** Instant at which the wall clock of `timeZone` shows `time` (HH:MM) on `date`. */
export function toInstant(date: PlainDate, time: string, timeZone: string): number {
  const asIfUtc = Date.parse(`${date}T${time}:00Z`)
  const guess = asIfUtc - offsetMinutes(timeZone, asIfUtc) * MINUTE_MS
  return asIfUtc - offsetMinutes(timeZone, guess) * MINUTE_MS
}

/** Normalises to `…T10:00:00+01:00`: adds missing seconds and removes fractions. */
export const toWholeSeconds = (iso: string): string =>
  iso.replace(/^(.{10}T\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?/, (_, minute: string, second = '00') => `${minute}:${second}`)

/** ISO 8601 with the zone's offset: `2027-03-04T23:59:00+01:00`. */
export function zonedIso(instant: number, timeZone: string): string {
  const minutes = offsetMinutes(timeZone, instant)
  const local = new Date(instant + minutes * MINUTE_MS).toISOString().slice(0, 19)
  const size = Math.abs(minutes)
  const twoDigits = (n: number) => String(n).padStart(2, '0')
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}
