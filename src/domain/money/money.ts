import { digitsOf } from './currency.ts'

/** An amount in whole minor units. No fraction ever lives inside the service; JSON gets major units in the presenters. */
export type Money = { readonly minor: number; readonly currency: string }

/** At most 15 digits, and zeros after them: no two such decimals are read as the same number. No currency has more than three digits after the point. */
const DECIMAL = /^-?\d{1,12}(?:\.\d{1,3}0*)?$/

/**
 * Reads a vendor's decimal by the currency's own digits: ('4250.00', 'JPY') is 4250, ('1.234', 'KWD') is 1234.
 * Undefined when it is no decimal, the currency is unknown, or digits would have to be thrown away.
 */
export function parseMoney(given: string | number, currency: string): Money | undefined {
  const digits = digitsOf(currency)
  if (digits === undefined) return undefined
  const minor = typeof given === 'number' ? minorOfNumber(given, digits) : minorOfText(given.trim(), digits)
  return minor === undefined ? undefined : { minor, currency }
}

const minorOfText = (text: string, digits: number): number | undefined =>
  DECIMAL.test(text) ? exactMinor(Number(text), digits) : undefined

/** A JSON number may carry binary noise (249.89999999999998); four decimals are more than any currency has. */
const minorOfNumber = (value: number, digits: number): number | undefined =>
  exactMinor(value, digits) ?? exactMinor(Number(value.toFixed(4)), digits)

/** Dividing rounds to the very number that the decimal is read as, so nothing can be lost where it gives the value back. */
function exactMinor(value: number, digits: number): number | undefined {
  const scale = 10 ** digits
  const minor = Math.round(value * scale) + 0
  return Number.isSafeInteger(minor) && minor / scale === value ? minor : undefined
}

/** For JSON and for people: 24990 EUR is 249.9. One division rounds once, to the very number that the decimal is read as. */
export const toMajor = (money: Money): number => money.minor / 10 ** (digitsOf(money.currency) ?? 2)

/** "249.90", as vendors want their decimals. */
export function toDecimal(money: Money): string {
  const digits = digitsOf(money.currency) ?? 2
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

/** A share of an amount, rounded half away from zero to whole minor units. */
export const shareOf = (money: Money, numerator: number, denominator: number): Money => ({
  minor: Math.round((money.minor * numerator) / denominator),
  currency: money.currency,
})

export const sameMoney = (a: Money, b: Money): boolean => a.minor === b.minor && a.currency === b.currency

function assertSame(a: Money, b: Money): void {
  if (a.currency !== b.currency) throw new Error(`cannot mix ${a.currency} and ${b.currency}`)
}
