import { digitsOf } from '../../domain/currency.ts'
import { parseMoney } from '../../domain/money.ts'

/**
 * Minor units of a decimal as the vendor writes nearly all of them ("137.62"), read digit by digit: a search reads
 * thousands. Everything unusual goes the careful way. Undefined when it is no amount of that currency.
 */
export function minorOf(value: unknown, currency: string): number | undefined {
  if (typeof value === 'string' && value.length > 3 && value.length < 14 && digitsOf(currency) === 2) {
    const point = value.length - 3
    if (value.charCodeAt(point) === 46) {
      let minor = 0
      let index = 0
      for (; index < value.length; index++) {
        if (index === point) continue
        const digit = value.charCodeAt(index) - 48
        if (digit < 0 || digit > 9) break
        minor = minor * 10 + digit
      }
      if (index === value.length) return minor
    }
  }
  return typeof value === 'string' || typeof value === 'number' ? parseMoney(value, currency)?.minor : undefined
}
