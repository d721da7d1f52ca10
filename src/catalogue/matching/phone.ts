const DIGITS_MIN = 8
const EXTENSION_MAX = 4

/** Digits without leading zeros; empty if there are too few. */
export function normalizePhone(phone: string): string {
  const first = phone.split(/[;,]| und | or | ou /)[0] ?? ''
  const digits = first.replace('(0)', '').replace(/\D+/g, '').replace(/^0+/, '')
  return digits.length >= DIGITS_MIN - 1 ? digits : ''
}

/** All notations of a number share the last digits; one may have an extension. */
export function isSamePhone(a: string, b: string): boolean {
  if (a === '' || b === '') return false
  if (a.length >= DIGITS_MIN && a.slice(-DIGITS_MIN) === b.slice(-DIGITS_MIN)) return true
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length >= DIGITS_MIN && long.length - short.length <= EXTENSION_MAX && long.startsWith(short)
}
