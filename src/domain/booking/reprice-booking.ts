import { type Money, scaleMoney } from '../money/money.ts'
import type { CancelTerms, Price } from '../offer.ts'
import type { Booking } from './booking.ts'
import { soldAmount } from './sale.ts'

/** The parts of a booking that depend on its price. */
export type PricedParts = Pick<Booking, 'price' | 'cancel' | 'sale' | 'payable' | 'vendorTotal'>

/**
 * Prices of a booking whose vendor changed its total from `before` to `after`. The client pays the same share of the
 * difference as of the price. Undefined if the booking has no price in this currency, or nothing would be left to pay.
 */
export function repriceBooking(booking: PricedParts, before: Money, after: Money): PricedParts | undefined {
  const { price, cancel, sale, payable, vendorTotal } = booking
  const isBilledElsewhere = price.total.currency !== after.currency
  if (before.currency !== after.currency || (isBilledElsewhere && vendorTotal?.currency !== after.currency))
    return undefined
  const difference = { minor: after.minor - before.minor, currency: after.currency }
  const extra = isBilledElsewhere
    ? { minor: scaleMoney(difference, price.total.minor, before.minor || 1).minor, currency: price.total.currency }
    : difference
  const net = addToPrice(price, extra.minor)
  if (net.total.minor <= price.dueAtProperty.minor) return undefined
  const grow = (money: Money) => scaleMoney(money, net.total.minor, price.total.minor || 1)
  const soldPrice = sale && addToPrice(sale.price, soldAmount(price, sale.price, extra).minor)
  return {
    price: net,
    cancel: scaleTerms(cancel, price, net),
    ...(sale &&
      soldPrice && {
        sale: {
          ...sale,
          net: grow(sale.net),
          price: soldPrice,
          cancel: scaleTerms(sale.cancel, sale.price, soldPrice),
        },
      }),
    ...(payable && { payable: grow(payable) }),
    ...(vendorTotal && { vendorTotal: isBilledElsewhere ? after : grow(vendorTotal) }),
  }
}

/** Taxes and the amount due at the property stay unchanged. */
function addToPrice(price: Price, minor: number): Price {
  const add = (money: Money): Money => ({ minor: money.minor + minor, currency: money.currency })
  const total = add(price.total)
  const publicTotal = price.publicTotal.minor < total.minor ? total : price.publicTotal
  return { ...price, total, base: add(price.base), publicTotal }
}

const scaleTerms = (terms: CancelTerms | undefined, before: Price, after: Price): CancelTerms | undefined =>
  terms && {
    ...terms,
    penalties: terms.penalties.map((penalty) => ({
      ...penalty,
      amount: scaleMoney(penalty.amount, after.total.minor, before.total.minor || 1),
    })),
  }
