import { type Money, scaleMoney } from '../money/money.ts'
import type { CancelTerms, Price } from '../offer.ts'

/** Rounds to a multiple of `step`, minus `minus`: a step of 1 and a minus of 0.01 give prices ending in .99. In major units. */
export type Rounding = { readonly step: number; readonly mode: 'up' | 'down' | 'nearest'; readonly minus?: number }

export type Markup = {
  readonly percent?: number
  /** For each night of each room. */
  readonly perNight?: Money
  readonly perStay?: Money
  readonly rounding?: Rounding
  /** Hours by which free cancellation ends before the vendor's deadline. */
  readonly cancelBufferHours?: number
}

/** Pricing of an offer, kept so that it can be priced again after the rules have changed. */
export type SaleTerms = Markup & {
  /** Version of the rules; 0 if there are none. */
  readonly version: number
  /** Priority of the rule that matched; absent if none did. */
  readonly priority?: number
  /** Added if the vendor is paid in a different currency than the client pays. */
  readonly exchangePercent?: number
}

/**
 * Price and terms for the client, in the client's currency; without a sale, the net price applies. `net` is the vendor's
 * total in that currency, at the exchange rate of the offer.
 */
export type Sale = {
  readonly terms: SaleTerms
  readonly net: Money
  readonly price: Price
  readonly cancel: CancelTerms | undefined
}

/**
 * Converts an amount that depends on the net price, such as a cancellation fee, to the same share of the selling price. The
 * part that exceeds the amount paid now becomes a share of the amount due at the property.
 */
export function soldAmount(net: Price, sold: Price, amount: Money): Money {
  const { currency } = sold.total
  const [paid, soldPaid] = [paidNow(net), paidNow(sold)]
  if (paid <= 0 || soldPaid < 0)
    return scaleMoney({ minor: amount.minor, currency }, sold.total.minor, net.total.minor || 1)
  if (amount.minor <= paid) return scaleMoney({ minor: amount.minor, currency }, soldPaid, paid)
  const due = net.dueAtProperty.minor
  const beyond = due <= 0 ? 0 : Math.round(((amount.minor - paid) * sold.dueAtProperty.minor) / due)
  return { minor: Math.min(sold.total.minor, soldPaid + beyond), currency }
}

const paidNow = ({ total, dueAtProperty }: Price): number => total.minor - dueAtProperty.minor
