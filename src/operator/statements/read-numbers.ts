import { convertMoney, type ExchangeRates } from '../../domain/money/exchange.ts'
import { addFields } from '../../lib/add-fields.ts'
import { cachedFor } from '../../lib/async/cached.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import { addDays, dateIn } from '../../lib/time/plain-date.ts'
import type { NumbersStore } from '../store/numbers.ts'
import { type CallOutcome, isFailure } from '../vendors/call-outcome.ts'
import { type StatementLine, sumStatement } from './statement.ts'

/** One vendor on one day (UTC). Amounts are minor units of `NUMBERS_CURRENCY`. */
type DayNumbers = {
  readonly day: string
  readonly vendorId: string
  /** Made on this day, whatever became of them. */
  readonly bookings: number
  readonly value: number
  readonly margin: number
  readonly searches: number
  /** Bookings of the day that have been in doubt or under review. */
  readonly doubts: number
  readonly calls: number
  readonly errors: number
}

export type Numbers = { readonly asOf: number; readonly from: string; readonly days: readonly DayNumbers[] }

/** Two complete weeks before today. */
const DAYS_BEFORE = 14
export const NUMBERS_CURRENCY = 'EUR'
/** Reading all bookings of two weeks is expensive, and operators may reload the page often. */
const NUMBERS_MS = 5 * MINUTE_MS

type Deps = { readonly store: NumbersStore; readonly clock: Clock; rates(): ExchangeRates }

export type ReadNumbers = () => Promise<Numbers>

export function createReadNumbers({ store, clock, rates }: Deps): ReadNumbers {
  return cachedFor(clock, NUMBERS_MS, async () => {
    const now = clock.now()
    const from = addDays(dateIn('UTC', now), -DAYS_BEFORE)
    const [searches, doubts, calls, lines] = await Promise.all([
      store.searches(from),
      store.doubts(from),
      store.calls(from),
      sumStatement(store.bookings(from, now)),
    ])
    const days = new Map<string, DayNumbers>()
    const add = (day: string, vendorId: string, counts: Partial<Omit<DayNumbers, 'day' | 'vendorId'>>) => {
      const key = `${day} ${vendorId}`
      days.set(key, addFields<DayNumbers>(days.get(key) ?? { ...EMPTY, day, vendorId }, counts))
    }
    for (const { day, vendorId, count } of searches) add(day, vendorId, { searches: count })
    for (const { day, vendorId, count } of doubts) add(day, vendorId, { doubts: count })
    for (const { day, vendorId, outcome, count } of calls)
      add(day, vendorId, { calls: count, errors: isFailure(outcome as CallOutcome) ? count : 0 })
    for (const line of lines) add(line.period, line.vendorId, countSales(line, rates()))
    return { asOf: now, from, days: [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, numbers]) => numbers) }
  })
}

const EMPTY = { bookings: 0, value: 0, margin: 0, searches: 0, doubts: 0, calls: 0, errors: 0 }

function countSales(line: StatementLine, rates: ExchangeRates): Partial<typeof EMPTY> {
  const convert = (minor: number) =>
    convertMoney({ minor, currency: line.currency }, NUMBERS_CURRENCY, rates)?.minor ?? 0
  return {
    bookings: line.bookings + line.cancelled + line.open + line.partlyCancelled,
    value: convert(line.sold),
    margin: convert(line.margin),
  }
}
