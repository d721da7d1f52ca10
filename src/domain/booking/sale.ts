import { type Money, shareOf } from '../money/money.ts'
import type { CancelTerms, Price } from '../offer.ts'

/** To a multiple of `step`, less `minus`: a step of 1 and a minus of 0.01 give prices that end in .99. In major units. */
export type Rounding = { readonly step: number; readonly mode: 'up' | 'down' | 'nearest'; readonly minus?: number }

/** What a rule adds to a net price, and how it changes the terms. */
export type Markup = {
  /** Of the whole net price. */
  readonly percent?: number
  /** For each night of each room. */
  readonly perNight?: Money
  readonly perStay?: Money
  readonly rounding?: Rounding
  /** By how many hours free cancellation ends earlier than the vendor's. */
  readonly cancelBufferHours?: number
}

/** By what an offer was priced, so that it can be priced again after the rules have changed. */
export type SaleTerms = Markup & {
  /** Of the rules; 0 while there are none. */
  readonly version: number
  /** The priority of the rule that matched; absent where none did. */
  readonly priority?: number
  /** Added where the vendor is paid in another currency than the client pays in. */
  readonly exchangePercent?: number
}

/**
 * What the client pays and agrees to, in the currency that the client asked for. An offer or booking without a sale is sold
 * at its net price. `net` is the vendor's total in the same currency, at the rate of the day of the offer.
 */
export type Sale = {
  readonly terms: SaleTerms
  readonly net: Money
  readonly price: Price
  readonly cancel: CancelTerms | undefined
}

/**
 * An amount of the vendor's that depends on the price, such as a cancellation fee, as the client pays it: the same share of
 * what is paid now. What exceeds that is a share of what the property collects.
 */
export function soldAmount(net: Price, sold: Price, amount: Money): Money {
  const { currency } = sold.total
  const [paid, soldPaid] = [paidNow(net), paidNow(sold)]
  if (paid <= 0 || soldPaid < 0)
    return shareOf({ minor: amount.minor, currency }, sold.total.minor, net.total.minor || 1)
  if (amount.minor <= paid) return shareOf({ minor: amount.minor, currency }, soldPaid, paid)
  const due = net.dueAtProperty.minor
  const beyond = due <= 0 ? 0 : Math.round(((amount.minor - paid) * sold.dueAtProperty.minor) / due)
  return { minor: Math.min(sold.total.minor, soldPaid + beyond), currency }
}

const paidNow = ({ total, dueAtProperty }: Price): number => total.minor - dueAtProperty.minor
