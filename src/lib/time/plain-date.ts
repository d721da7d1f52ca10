import { memoize } from '../async/memoize.ts'
import { DAY_MS } from './durations.ts'

/** A calendar day as `YYYY-MM-DD`: no time, no zone, so it can never shift. */
export type PlainDate = string

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Rejects dates that do not exist, such as 2027-02-30. */
export function isPlainDate(text: string): boolean {
  const parts = SHAPE.exec(text)
  if (parts === null) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(parts[3])
}

const dayNumber = (date: PlainDate) => Date.parse(`${date}T00:00:00Z`) / DAY_MS

export const daysBetween = (from: PlainDate, to: PlainDate): number => dayNumber(to) - dayNumber(from)

export const addDays = (date: PlainDate, days: number): PlainDate =>
  new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10)

/** 0 is Sunday. */
export const getWeekday = (date: PlainDate): number => new Date(`${date}T00:00:00Z`).getUTCDay()

/** Calendar day at `instant` in `timeZone`. */
export const dateIn = (timeZone: string, instant: number): PlainDate => dateFormat(timeZone).format(instant)

const dateFormat = memoize(
  1_000,
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
)
