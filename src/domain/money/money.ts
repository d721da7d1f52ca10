import { minorDigits } from './currency.ts'

/** Whole minor units; presenters convert to major units for JSON. */
export type Money = { readonly minor: number; readonly currency: string }

/** At most 15 significant digits, which a double represents exactly enough, and at most three decimals. */
const DECIMAL = /^-?\d{1,12}(?:\.\d{1,3}0*)?$/

/**
 * Parses a vendor's decimal by the currency's digits: ('4250.00', 'JPY') is 4250, ('1.234', 'KWD') is 1234. Undefined if it is
 * not a decimal, the currency is unknown, or the currency has too few digits.
 */
export function parseMoney(value: string | number, currency: string): Money | undefined {
  const digits = minorDigits(currency)
  if (digits === undefined) return undefined
  const minor = typeof value === 'number' ? numberToMinor(value, digits) : textToMinor(value.trim(), digits)
  return minor === undefined ? undefined : { minor, currency }
}

const textToMinor = (text: string, digits: number): number | undefined =>
  DECIMAL.test(text) ? exactMinor(Number(text), digits) : undefined

/** A JSON number may have rounding noise (249.89999999999998). No currency has four decimals. */
const numberToMinor = (value: number, digits: number): number | undefined =>
  exactMinor(value, digits) ?? exactMinor(Number(value.toFixed(4)), digits)

/** Undefined unless dividing gives the value back, so that no digit is lost. */
function exactMinor(value: number, digits: number): number | undefined {
  const scale = 10 ** digits
  const minor = Math.round(value * scale) + 0
  return Number.isSafeInteger(minor) && minor / scale === value ? minor : undefined
}

/** 24990 EUR is 249.9. A single division gives the double nearest to the decimal. */
export const toMajor = (money: Money): number => money.minor / 10 ** (minorDigits(money.currency) ?? 2)

/** "249.90". */
export function toDecimal(money: Money): string {
  const digits = minorDigits(money.currency) ?? 2
  return (money.minor / 10 ** digits).toFixed(digits)
}

export const zero = (currency: string): Money => ({ minor: 0, currency })

export function addMoney(a: Money, b: Money): Money {
  assertSame(a, b)
  return { minor: a.minor + b.minor, currency: a.currency }
}

export function subtractMoney(a: Money, b: Money): Money {
  assertSame(a, b)
  return { minor: a.minor - b.minor, currency: a.currency }
}

export const scaleMoney = (money: Money, numerator: number, denominator: number): Money => ({
  minor: Math.round((money.minor * numerator) / denominator),
  currency: money.currency,
})

export const sameMoney = (a: Money, b: Money): boolean => a.minor === b.minor && a.currency === b.currency

function assertSame(a: Money, b: Money): void {
  if (a.currency !== b.currency) throw new Error(`cannot mix ${a.currency} and ${b.currency}`)
}
