import { type Sale, type SaleTerms, soldAmount } from '../domain/booking/sale.ts'
import { convertPrice } from '../domain/money/convert-price.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { CancelTerms, Fee, Price, SellingBounds } from '../domain/offer.ts'
import { countNights, type Stay } from '../domain/stay.ts'
import { withBuffer } from './cancel-buffer.ts'
import { convertBounds, convertMarkup, type SellingSum, sellingSum } from './selling-price.ts'

/** The vendor's price for a stay, in its own currency. */
export type NetOffer = {
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly bounds?: SellingBounds
}

type SaleContext = { readonly stay: Stay; readonly currency: string; readonly rates: ExchangeRates }

export const countRoomNights = (stay: Stay): number => countNights(stay) * stay.occupancies.length

/** True if the price is a sale of its own in the requested currency, even if it equals net. */
export const isSale = ({ priority, exchangePercent = 0 }: SaleTerms, isConverted: boolean, sum: SellingSum): boolean =>
  priority !== undefined || (isConverted && exchangePercent > 0) || sum.selling !== sum.net

/** Undefined if the offer is sold at net in the vendor's currency, `unpriced` if it cannot be converted. */
export function makeSale(offer: NetOffer, terms: SaleTerms, context: SaleContext): Sale | 'unpriced' | undefined {
  const { stay, currency, rates } = context
  const converted = convertPrice(offer.price, currency, rates)
  if (converted === undefined) return 'unpriced'
  const isConverted = offer.price.total.currency !== currency
  const markup = convertMarkup(terms, { currency, roomNights: countRoomNights(stay), isConverted }, rates)
  if (markup === undefined) return 'unpriced'
  const limits = offer.bounds && convertBounds(offer.bounds, currency, rates)
  const sum = sellingSum(converted.total.minor, markup, limits)
  if (!isSale(terms, isConverted, sum)) return undefined
  const before = sellingSum(converted.publicTotal.minor, markup, undefined).selling
  const price = soldPrice(converted, sum.selling, before)
  return { terms, net: converted.total, price, cancel: soldCancel(offer, price, terms, context) }
}

/** Scales every part that is paid now, exact to the cent in sum. What the property collects is unchanged. */
export function soldPrice(net: Price, total: number, publicTotal: number): Price {
  const money = (minor: number) => ({ minor, currency: net.total.currency })
  const due = net.dueAtProperty.minor
  const paid = net.total.minor - due
  const scale = (minor: number) => (paid <= 0 ? minor : Math.round((minor * (total - due)) / paid))
  // Scales running sums, so that the rounded fees add up.
  let sum = 0
  const fees = net.fees.map((fee): Fee => {
    if (fee.paidAt === 'property') return fee
    const before = scale(sum)
    sum += fee.amount.minor
    return { ...fee, amount: money(scale(sum) - before) }
  })
  const taxesFees = scale(net.taxesFees.minor - due) + due
  return {
    total: money(total),
    base: money(total - taxesFees),
    taxesFees: money(taxesFees),
    fees,
    dueAtProperty: net.dueAtProperty,
    publicTotal: money(Math.max(total, publicTotal)),
  }
}

function soldCancel({ price, cancel }: NetOffer, sold: Price, terms: SaleTerms, { currency, rates }: SaleContext) {
  if (cancel === undefined) return undefined
  const penalties = cancel.penalties.map((penalty) => {
    const isShare = penalty.amount.currency === price.total.currency
    const amount = isShare
      ? soldAmount(price, sold, penalty.amount)
      : (convertMoney(penalty.amount, currency, rates) ?? sold.total)
    return { ...penalty, amount }
  })
  return withBuffer({ ...cancel, penalties }, terms.cancelBufferHours)
}
