import { minorDigits } from '../../../domain/money/currency.ts'
import type { Money } from '../../../domain/money/money.ts'
import { isCardAmount } from '../../../domain/payment/card-step.ts'

/** Amount as Stripe counts it, with the currency in lower case. */
export type StripeAmount = { readonly amount: number; readonly currency: string }

/** Ours multiplied by `by`, or divided by `per` if nothing is lost. */
type Factor = { readonly by: number; readonly per: number }

const SAME: Factor = { by: 1, per: 1 }
/** Currencies that Stripe counts in other units than ISO 4217. */
const OTHER_UNITS: Readonly<Record<string, Factor>> = {
  // Two decimals that are always zero.
  ISK: { by: 100, per: 1 },
  UGX: { by: 100, per: 1 },
  // No decimals.
  MGA: { by: 1, per: 100 },
}
/** Three decimals in ISO 4217 and unknown at Stripe, so the amount could be off by a factor of ten. */
const REFUSED = new Set(['IQD', 'LYD'])

/** Undefined if Stripe cannot charge exactly this amount. */
export function toStripeAmount({ minor, currency }: Money): StripeAmount | undefined {
  const { by, per } = OTHER_UNITS[currency] ?? SAME
  const isSupported = minorDigits(currency) !== undefined && !REFUSED.has(currency) && isCardAmount({ minor, currency })
  const amount = (minor * by) / per
  if (!isSupported || minor <= 0 || !Number.isSafeInteger(minor) || !Number.isSafeInteger(amount)) return undefined
  return { amount, currency: currency.toLowerCase() }
}

/** Undefined for an unknown currency, or an amount that our minor units cannot express. */
export function fromStripeAmount(amount: number, lowerCase: string): Money | undefined {
  const currency = lowerCase.toUpperCase()
  const { by, per } = OTHER_UNITS[currency] ?? SAME
  const minor = (amount * per) / by
  if (minorDigits(currency) === undefined || REFUSED.has(currency) || !Number.isSafeInteger(minor)) return undefined
  return { minor, currency }
}
