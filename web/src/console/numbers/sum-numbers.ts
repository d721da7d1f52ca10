import type { components } from '../../../../packages/client/src/index.ts'

export type DayNumbers = components['schemas']['DayNumbers']
type Sums = Omit<DayNumbers, 'day' | 'vendor_id'>

/** Today is incomplete, so the week before it is compared with the one before that. */
export const WEEK = 7

/** Fourteen complete days and today, as `2027-01-15`. */
export function listDays(from: string): string[] {
  const first = Date.parse(`${from}T00:00:00Z`)
  return Array.from({ length: 2 * WEEK + 1 }, (_, index) => new Date(first + index * DAY_MS).toISOString().slice(0, 10))
}
const DAY_MS = 86_400_000

export function sumNumbers(rows: readonly DayNumbers[]): Sums {
  const total = (read: (row: DayNumbers) => number) => rows.reduce((sum, row) => sum + read(row), 0)
  return {
    bookings: total(({ bookings }) => bookings),
    value: total(({ value }) => value),
    margin: rows.some(({ margin }) => margin === null) ? null : total(({ margin }) => margin ?? 0),
    searches: total(({ searches }) => searches),
    doubts: total(({ doubts }) => doubts),
    calls: total(({ calls }) => calls),
    errors: total(({ errors }) => errors),
  }
}

export type Measure = {
  readonly title: string
  /** Null if it is unknown. */
  read(sums: Sums): number | null
  readonly unit: 'count' | 'money' | 'ratio' | 'share'
}

export const MEASURES: readonly Measure[] = [
  { title: 'Bookings', unit: 'count', read: ({ bookings }) => bookings },
  { title: 'Value', unit: 'money', read: ({ value }) => value },
  { title: 'Margin', unit: 'money', read: ({ margin }) => margin },
  {
    // A search of three vendors is three searches.
    title: 'Vendor searches per booking',
    unit: 'ratio',
    read: ({ searches, bookings }) => (bookings === 0 ? null : searches / bookings),
  },
  { title: 'Doubts', unit: 'count', read: ({ doubts }) => doubts },
  { title: 'Failed calls', unit: 'share', read: ({ calls, errors }) => (calls === 0 ? null : errors / calls) },
]

/** "+12 %", "−3 %", or "as before"; undefined if there is nothing to compare with. */
export function formatChange(now: number | null, before: number | null): string | undefined {
  if (now === null || before === null || before === 0) return undefined
  const percent = Math.round((now / before - 1) * 100)
  if (percent === 0) return 'as before'
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toLocaleString('en-GB')} %`
}
