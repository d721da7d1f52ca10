import { minorDigits } from '../../domain/money/currency.ts'
import { type Money, parseMoney } from '../../domain/money/money.ts'

/** Returns undefined for an unsupported currency. */
export const readCurrency = (value: unknown): string | undefined =>
  typeof value === 'string' && minorDigits(value) !== undefined ? value : undefined

/** Converts a decimal exactly to minor units; undefined if it is not an amount of that currency. */
export const readMinor = (value: unknown, currency: string): number | undefined =>
  typeof value === 'string' || typeof value === 'number' ? parseMoney(value, currency)?.minor : undefined

/** Undefined if the list is empty, or an amount is unknown or in another currency. */
export function sumMoney(amounts: readonly (Money | undefined)[]): Money | undefined {
  const [first] = amounts
  if (first === undefined) return undefined
  let minor = 0
  for (const amount of amounts) {
    if (amount?.currency !== first.currency) return undefined
    minor += amount.minor
  }
  return { minor, currency: first.currency }
}
