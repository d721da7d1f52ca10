import { dateIn, type PlainDate } from '../../lib/plain-date.ts'

/** Which day it is in a zone, worked out once a minute. */
const days = new Map<string, { readonly minute: number; readonly day: PlainDate }>()

export function todayIn(timezone: string, now: number): PlainDate {
  const minute = Math.floor(now / 60_000)
  const known = days.get(timezone)
  if (known?.minute === minute) return known.day
  const day = dateIn(timezone, now)
  days.set(timezone, { minute, day })
  return day
}
