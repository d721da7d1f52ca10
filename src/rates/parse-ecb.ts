import { isCurrency } from '../domain/money/currency.ts'
import type { ExchangeRates } from '../domain/money/exchange.ts'

const DAY = /<Cube\s+time=["'](\d{4}-\d{2}-\d{2})["']/
const RATE = /<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["']([\d.]+)["']/g
/** Fewer are not a complete list; the European Central Bank publishes about 30. */
const CURRENCIES_MIN = 5

/** Parses the daily file of the European Central Bank. Throws an error with the reason if it is not valid. */
export function parseEcb(text: string): ExchangeRates {
  // The files of several days have the same format, newest first.
  const [, today = ''] = text.split(/(?=<Cube\s+time=)/)
  const date = DAY.exec(today)?.[1]
  if (date === undefined || Number.isNaN(Date.parse(date))) throw new Error('the answer has no day')
  const rates: Record<string, number> = { EUR: 1 }
  for (const [, code = '', rate] of today.matchAll(RATE)) {
    const amount = Number(rate)
    if (!(amount > 0 && Number.isFinite(amount))) throw new Error(`the rate of ${code} is not a positive number`)
    if (isCurrency(code)) rates[code] = amount
  }
  if (rates.USD === undefined || Object.keys(rates).length <= CURRENCIES_MIN)
    throw new Error('the answer has too few currencies')
  return { date, rates }
}
