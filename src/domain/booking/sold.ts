import { type Money, sameMoney, shareOf } from '../money/money.ts'
import type { CancelTerms, Price } from '../offer.ts'
import type { Booking } from './booking.ts'
import { penaltyAt } from './cancel-policy.ts'
import type { Discrepancy } from './discrepancy.ts'
import type { Receipt } from './receipt.ts'
import { type Sale, soldAmount } from './sale.ts'

/** An offer as its client sees it: the selling price and terms in place of the vendor's. */
export function soldOffer<T extends { price: Price; cancel: CancelTerms | undefined; sale?: Sale }>(offer: T): T {
  if (offer.sale === undefined) return offer
  const { sale, ...rest } = offer
  return { ...rest, price: sale.price, cancel: sale.cancel } as T
}

/** A booking as its client sees it. Nothing of the net price is left in it. */
export function soldBooking(booking: Booking): Booking {
  if (booking.sale === undefined) return booking
  const { sale, soldFee, vendorTotal: _total, payable: _payable, ...rest } = booking
  const { cancelFee, discrepancies } = booking
  return {
    ...rest,
    price: sale.price,
    cancel: sale.cancel,
    cancelFee: soldFee ?? (cancelFee && soldShare(booking, cancelFee)),
    ...(discrepancies && { discrepancies: discrepancies.map((one) => soldDiscrepancy(booking, sale, one)) }),
  }
}

/**
 * What the client pays for a cancellation that costs `fee` at the vendor. Where that is what the vendor's terms say, the
 * client pays what its own terms say; otherwise the same share. `time` is when the client asked for it; absent where the
 * vendor cancelled of its own accord.
 */
export function soldFeeOf(booking: Booking, fee: Money, time: number | undefined): Money {
  const { sale, price, cancel } = booking
  if (sale === undefined) return fee
  const isByTerms = time !== undefined && sameMoney(fee, penaltyAt(cancel, price.total, time))
  return isByTerms ? penaltyAt(sale.cancel, sale.price.total, time) : soldShare(booking, fee)
}

/** An amount in another currency than the net price has no share of it: then everything is the cautious answer. */
function soldShare({ price, sale }: Booking, amount: Money): Money {
  if (sale === undefined) return amount
  return amount.currency === price.total.currency ? soldAmount(price, sale.price, amount) : sale.price.total
}

function soldDiscrepancy(booking: Booking, { price }: Sale, one: Discrepancy): Discrepancy {
  if (one.code === 'price_differs') {
    // Both are of one currency, perhaps another than the net price's: their ratio tells the share.
    const minor = Math.round((price.total.minor * one.vendorSays.minor) / Math.max(1, one.booked.minor))
    return { ...one, booked: price.total, vendorSays: { minor, currency: price.total.currency } }
  }
  if (one.code !== 'terms_differ') return one
  const sold = (term: typeof one.booked) =>
    term.what === 'board' ? term : { ...term, fee: soldShare(booking, term.fee) }
  return { ...one, booked: sold(one.booked), vendorSays: sold(one.vendorSays) }
}

/** What the vendor has said of a booking, in amounts of the sale; an amount of which that cannot be told is left out. */
export function soldReceipt(booking: Booking, receipt: Receipt): Receipt {
  const { sale, price } = booking
  if (sale === undefined) return receipt
  const { total, charged: _, cancel, cancelFee, ...rest } = receipt
  const isOurs = (money: Money | undefined) => money?.currency === price.total.currency
  return {
    ...rest,
    ...(total && isOurs(total) && { total: soldTotal(price, sale.price, total) }),
    ...(cancelFee && isOurs(cancelFee) && { cancelFee: soldShare(booking, cancelFee) }),
    ...(cancel?.penalties.every(({ amount }) => isOurs(amount)) && {
      cancel: {
        ...cancel,
        penalties: cancel.penalties.map((one) => ({ ...one, amount: soldShare(booking, one.amount) })),
      },
    }),
  }
}

const soldTotal = (net: Price, sold: Price, total: Money): Money => ({
  minor: Math.round((total.minor * sold.total.minor) / Math.max(1, net.total.minor)),
  currency: sold.total.currency,
})

/** What the vendor bills, in the currency of the sale at the rate of its day. */
export function netInSold({ price, sale, payable }: Pick<Booking, 'price' | 'sale' | 'payable'>): Money {
  const net = sale?.net ?? price.total
  if (payable === undefined) return net
  return { minor: Math.round((net.minor * payable.minor) / Math.max(1, price.total.minor)), currency: net.currency }
}

/**
 * What the vendor bills for a cancellation. Where it prescribes the selling price, its fees are stated as a share of that price and
 * billed as the same share of the net price. What the property collects is part of neither.
 */
export function billedFee({ price, payable }: Pick<Booking, 'price' | 'payable'>, fee: Money): Money {
  if (payable === undefined) return fee
  const due = price.dueAtProperty.minor
  return shareOf(fee, payable.minor - due, Math.max(1, price.total.minor - due))
}
