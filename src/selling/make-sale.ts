import { type Sale, type SaleTerms, soldAmount } from '../domain/booking/sale.ts'
import { priceIn } from '../domain/money/convert-price.ts'
import { convertMoney, type ExchangeRates } from '../domain/money/exchange.ts'
import type { CancelTerms, Fee, Price, SellingBounds } from '../domain/offer.ts'
import { nightsOf, type Stay } from '../domain/stay.ts'
import { withBuffer } from './cancel-buffer.ts'
import { boundsIn, markupIn, type SellingSum, sellingSum } from './selling-price.ts'

/** What a vendor asks for a stay, in its own currency. */
export type NetOffer = {
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly bounds?: SellingBounds
}

type Frame = { readonly stay: Stay; readonly currency: string; readonly rates: ExchangeRates }

export const roomNightsOf = (stay: Stay): number => nightsOf(stay) * stay.occupancies.length

/** Whether a price that comes out as net is a sale of its own, in the currency that was asked for. */
export const isSale = ({ priority, exchangePercent = 0 }: SaleTerms, isConverted: boolean, sum: SellingSum): boolean =>
  priority !== undefined || (isConverted && exchangePercent > 0) || sum.selling !== sum.net

/**
 * The sale of an offer: undefined where it is sold at its net price, in the vendor's own currency. `unpriced` where its price
 * cannot be told in the currency that was asked for.
 */
export function makeSale(offer: NetOffer, terms: SaleTerms, frame: Frame): Sale | 'unpriced' | undefined {
  const { stay, currency, rates } = frame
  const asked = priceIn(offer.price, currency, rates)
  if (asked === undefined) return 'unpriced'
  const isConverted = offer.price.total.currency !== currency
  const markup = markupIn(terms, { currency, roomNights: roomNightsOf(stay), isConverted }, rates)
  if (markup === undefined) return 'unpriced'
  const limits = offer.bounds && boundsIn(offer.bounds, currency, rates)
  const sum = sellingSum(asked.total.minor, markup, limits)
  if (!isSale(terms, isConverted, sum)) return undefined
  const before = sellingSum(asked.publicTotal.minor, markup, undefined).selling
  const price = soldPrice(asked, sum.selling, before)
  return { terms, net: asked.total, price, cancel: soldCancel(offer, price, terms, frame) }
}

/** Every part of what is paid now grows alike, to the cent in sum; what the property collects stays as it is. */
export function soldPrice(net: Price, total: number, publicTotal: number): Price {
  const money = (minor: number) => ({ minor, currency: net.total.currency })
  const due = net.dueAtProperty.minor
  const paid = net.total.minor - due
  const grown = (minor: number) => (paid <= 0 ? minor : Math.round((minor * (total - due)) / paid))
  // Shares of running sums: single fees are rounded so that together they are the rounded share of all of them.
  let sum = 0
  const fees = net.fees.map((fee): Fee => {
    if (fee.paidAt === 'property') return fee
    const before = grown(sum)
    sum += fee.amount.minor
    return { ...fee, amount: money(grown(sum) - before) }
  })
  const taxesFees = grown(net.taxesFees.minor - due) + due
  return {
    total: money(total),
    base: money(total - taxesFees),
    taxesFees: money(taxesFees),
    fees,
    dueAtProperty: net.dueAtProperty,
    publicTotal: money(Math.max(total, publicTotal)),
  }
}

function soldCancel({ price, cancel }: NetOffer, sold: Price, terms: SaleTerms, { currency, rates }: Frame) {
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
