import { LRUCache } from 'lru-cache'
import { memoize } from '../../src/lib/async/memoize.ts'
import { addDays, dateIn, daysBetween, type PlainDate } from '../../src/lib/time/plain-date.ts'

/** Dates of all nights of a stay. Cached, because a search asks for the same stay in a thousand properties. */
export const listNights = ({ checkIn, checkOut }: { checkIn: PlainDate; checkOut: PlainDate }): readonly PlainDate[] =>
  nightsBetween(`${checkIn} ${checkOut}`)

const nightsBetween = memoize(100, (stay: string): readonly PlainDate[] => {
  const [checkIn = '', checkOut = ''] = stay.split(' ')
  return Array.from({ length: daysBetween(checkIn, checkOut) }, (_, night) => addDays(checkIn, night))
})

/** Cached because a search needs the date at every property, and computing a time zone's offset is slow. */
const dates = new LRUCache<string, { readonly minute: number; readonly date: PlainDate }>({ max: 1_000 })

/** Current date in a time zone, computed once per minute. */
export function todayIn(timezone: string, now: number): PlainDate {
  const minute = Math.floor(now / 60_000)
  const known = dates.get(timezone)
  if (known?.minute === minute) return known.date
  const date = dateIn(timezone, now)
  dates.set(timezone, { minute, date })
  return date
}
