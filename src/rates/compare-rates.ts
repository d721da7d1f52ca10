import type { ExchangeRates } from '../domain/money/exchange.ts'
import { DAY_MS } from '../lib/time/durations.ts'

export type Jump = { readonly currency: string; readonly before: number; readonly after: number }

/** A larger change within a publication is more likely an error than a market. */
const JUMP_MIN = 0.2

/** Currencies whose rate changed by more than 20 %. */
export function findJumps(before: ExchangeRates, after: ExchangeRates): Jump[] {
  return Object.entries(after.rates).flatMap(([currency, rate]) => {
    const known = before.rates[currency]
    const isJump = known !== undefined && Math.abs(rate / known - 1) > JUMP_MIN
    return isJump ? [{ currency, before: known, after: rate }] : []
  })
}

/**
 * Adds the currencies of the fallback that the source does not publish. They keep their rate to the dollar, to which most of
 * them are tied.
 */
export function completeRates(published: ExchangeRates, fallback: ExchangeRates): ExchangeRates {
  const perDollar = (published.rates.USD ?? 1) / (fallback.rates.USD ?? 1)
  const rest = Object.entries(fallback.rates).map(([currency, rate]): [string, number] => [currency, rate * perDollar])
  return { date: published.date, rates: { ...Object.fromEntries(rest), EUR: 1, ...published.rates } }
}

/** Time since the day of the rates ended, without weekends: no rates are published on Saturdays and Sundays. */
export function ageWithoutWeekends({ date }: ExchangeRates, now: number): number {
  const end = Date.parse(date) + DAY_MS
  if (now <= end) return 0
  let age = 0
  for (let day = end; day < now; day += DAY_MS)
    if (![0, 6].includes(new Date(day).getUTCDay())) age += Math.min(DAY_MS, now - day)
  return age
}
