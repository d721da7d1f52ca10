import { type Money, sameMoney, scaleMoney } from '../money/money.ts'
import type { CancelTerms, Price } from '../offer.ts'
import type { Booking } from './booking.ts'
import { cancelFeeAt } from './cancel-policy.ts'
import type { Discrepancy } from './discrepancy.ts'
import type { Receipt } from './receipt.ts'
import { type Sale, soldAmount } from './sale.ts'

/** Replaces the net price and terms by those of the sale. */
export function soldOffer<T extends { price: Price; cancel: CancelTerms | undefined; sale?: Sale }>(offer: T): T {
  if (offer.sale === undefined) return offer
  const { sale, ...rest } = offer
  return { ...rest, price: sale.price, cancel: sale.cancel } as T
}

/** Booking as its client sees it, without any net amount. */
export function soldBooking(booking: Booking): Booking {
  if (booking.sale === undefined) return booking.soldFee ? { ...booking, cancelFee: booking.soldFee } : booking
  const { sale, soldFee, vendorTotal: _total, payable: _payable, ...rest } = booking
  const { cancelFee, discrepancies } = booking
  return {
    ...rest,
    price: sale.price,
    cancel: sale.cancel,
    cancelFee: soldFee ?? (cancelFee && soldShare(booking, cancelFee)),
    ...(discrepancies && {
      discrepancies: discrepancies.map((discrepancy) => soldDiscrepancy(booking, sale, discrepancy)),
    }),
  }
}

/**
 * Client's fee for a cancellation that costs `fee` at the vendor: the fee of the client's terms if the vendor's fee follows its
 * terms, otherwise the same share. `time` is undefined if the vendor cancelled on its own.
 */
export function calculateSoldFee(booking: Booking, fee: Money, time: number | undefined): Money {
  const { sale, price, cancel } = booking
  if (sale === undefined) return fee
  const isByTerms = time !== undefined && sameMoney(fee, cancelFeeAt(cancel, price, time))
  return isByTerms ? cancelFeeAt(sale.cancel, sale.price, time) : soldShare(booking, fee)
}

/** Falls back to the full price if the amount is not in the currency of the net price. */
function soldShare({ price, sale }: Booking, amount: Money): Money {
  if (sale === undefined) return amount
  return amount.currency === price.total.currency ? soldAmount(price, sale.price, amount) : sale.price.total
}

function soldDiscrepancy(booking: Booking, { price }: Sale, found: Discrepancy): Discrepancy {
  if (found.code === 'price_differs') {
    // Both amounts have the same currency, possibly not that of the net price, so only their ratio is used.
    const minor = Math.round((price.total.minor * found.vendorSays.minor) / Math.max(1, found.booked.minor))
    return { ...found, booked: price.total, vendorSays: { minor, currency: price.total.currency } }
  }
  if (found.code !== 'terms_differ') return found
  const sold = (term: typeof found.booked) =>
    term.what === 'board' ? term : { ...term, fee: soldShare(booking, term.fee) }
  return { ...found, booked: sold(found.booked), vendorSays: sold(found.vendorSays) }
}

/** Converts the amounts to those of the sale. Leaves out amounts in another currency than the net price. */
export function soldReceipt(booking: Booking, receipt: Receipt): Receipt {
  const { sale, price } = booking
  if (sale === undefined) return receipt
  const { total, charged: _, cancel, cancelFee, ...rest } = receipt
  const isConvertible = (money: Money | undefined) => money?.currency === price.total.currency
  return {
    ...rest,
    ...(total && isConvertible(total) && { total: soldTotal(price, sale.price, total) }),
    ...(cancelFee && isConvertible(cancelFee) && { cancelFee: soldShare(booking, cancelFee) }),
    ...(cancel?.penalties.every(({ amount }) => isConvertible(amount)) && {
      cancel: {
        ...cancel,
        penalties: cancel.penalties.map((penalty) => ({ ...penalty, amount: soldShare(booking, penalty.amount) })),
      },
    }),
  }
}

const soldTotal = (net: Price, sold: Price, total: Money): Money => ({
  minor: Math.round((total.minor * sold.total.minor) / Math.max(1, net.total.minor)),
  currency: sold.total.currency,
})

/** Amount that the vendor bills, in the currency of the sale at its exchange rate. */
export function netInSaleCurrency({ price, sale, payable }: Pick<Booking, 'price' | 'sale' | 'payable'>): Money {
  const net = sale?.net ?? price.total
  if (payable === undefined) return net
  return { minor: Math.round((net.minor * payable.minor) / Math.max(1, price.total.minor)), currency: net.currency }
}

/**
 * Cancellation fee that the vendor bills. A vendor that prescribes the selling price states fees as a share of that price
 * and bills the same share of the net price, both without the amount due at the property.
 */
export function billedFee({ price, payable }: Pick<Booking, 'price' | 'payable'>, fee: Money): Money {
  if (payable === undefined) return fee
  const due = price.dueAtProperty.minor
  return scaleMoney(fee, payable.minor - due, Math.max(1, price.total.minor - due))
}
