/** Currencies whose last two digits are always zero, and those whose last of three is. */
const HUNDREDS = new Set(['isk', 'ugx'])
const TENS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])
/** Minimum amounts in Stripe's units; others are not checked. */
const MINIMUM: Readonly<Record<string, number>> = {
  usd: 50,
  eur: 50,
  chf: 50,
  aud: 50,
  cad: 50,
  nzd: 50,
  sgd: 50,
  brl: 50,
  inr: 50,
  gbp: 30,
  aed: 200,
  myr: 200,
  pln: 200,
  ron: 200,
  dkk: 250,
  nok: 300,
  sek: 300,
  hkd: 400,
  czk: 1_500,
  huf: 17_500,
  jpy: 50,
  krw: 50,
  mxn: 1_000,
  thb: 1_000,
}

export const isBelowMinimum = (amount: number, currency: string): boolean => amount < (MINIMUM[currency] ?? 1)

/** True if the currency has digits that must be zero, and they are not. */
export const hasForbiddenDigits = (amount: number, currency: string): boolean =>
  (HUNDREDS.has(currency) && amount % 100 !== 0) || (TENS.has(currency) && amount % 10 !== 0)

/** `39388` in `eur` → "EUR 393.88". */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  const digits = HUNDREDS.has(currency) ? 2 : (format.resolvedOptions().maximumFractionDigits ?? 2)
  return format.format(amount / 10 ** digits)
}
