import { digitsOf } from '../../domain/money/currency.ts'
import { type Money, parseMoney } from '../../domain/money/money.ts'

/** A currency we can count in. */
export const currencyOf = (value: unknown): string | undefined =>
  typeof value === 'string' && digitsOf(value) !== undefined ? value : undefined

/** Minor units of a decimal, read exactly; undefined when it is no amount of that currency. */
export const minorOf = (value: unknown, currency: string): number | undefined =>
  typeof value === 'string' || typeof value === 'number' ? parseMoney(value, currency)?.minor : undefined

/** The sum; undefined where there is nothing to add, or one amount is unknown or in another currency. */
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
