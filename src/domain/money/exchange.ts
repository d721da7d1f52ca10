import { minorDigits } from './currency.ts'
import type { Money } from './money.ts'

/** `rates`: amount of each currency per euro. */
export type ExchangeRates = { readonly date: string; readonly rates: Readonly<Record<string, number>> }

/** Rounds to minor units. Undefined without a rate. */
export function convertMoney(money: Money, currency: string, { rates }: ExchangeRates): Money | undefined {
  if (money.currency === currency) return money
  const from = rates[money.currency]
  const to = rates[currency]
  const fromDigits = minorDigits(money.currency)
  const toDigits = minorDigits(currency)
  if (from === undefined || to === undefined || fromDigits === undefined || toDigits === undefined) return undefined
  return { minor: Math.round((money.minor / from) * to * 10 ** (toDigits - fromDigits)), currency }
}
