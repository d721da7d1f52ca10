import { billedFee, netInSaleCurrency } from '../../domain/booking/apply-sale.ts'
import type { BookingState } from '../../domain/booking/booking.ts'
import type { Sale } from '../../domain/booking/sale.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Price } from '../../domain/offer.ts'
import type { Payment } from '../../domain/payment/payment.ts'
import { addFields } from '../../lib/add-fields.ts'

/** The part of a booking that a statement needs. */
export type StatementBooking = {
  /** Month such as `2027-03`, or a day. */
  readonly period: string
  readonly vendorId: string
  readonly state: BookingState
  /** Has both cancelled and confirmed rooms. */
  readonly isPartlyCancelled?: boolean
  /** Net. */
  readonly price: Price
  readonly sale?: Sale | undefined
  /** Amount that the vendor bills, if it prescribes the selling price. */
  readonly payable?: Money
  /** Cancellation fee of the vendor, and the one charged to the client. */
  readonly cancelFee: Money | undefined
  readonly soldFee: Money | undefined
  /** Absent on account. */
  readonly payment?: StatementPayment | undefined
}

/** In minor units of the selling currency. */
export type StatementPayment = Pick<Payment, 'captured' | 'refunded' | 'disputed' | 'owed' | 'goodwill' | 'fee'>

/** One period with one vendor in one pair of currencies. Amounts are in `currency`, vendor amounts in `netCurrency`. */
export type StatementLine = {
  readonly period: string
  readonly vendorId: string
  readonly currency: string
  readonly netCurrency: string
  readonly bookings: number
  readonly cancelled: number
  /** Bookings with an unknown outcome; not in the totals. */
  readonly open: number
  /** Bookings with some rooms cancelled; not in the totals, because the cost of the rest is unknown. */
  readonly partlyCancelled: number
  /** Selling price of the bookings that are not cancelled. */
  readonly sold: number
  /** Part of `sold` that the properties collect. */
  readonly dueAtProperty: number
  /** Net price of the same bookings, at the exchange rates of their dates. */
  readonly net: number
  /** Cancellation fees charged to clients. */
  readonly penalties: number
  /** `sold` minus `net`, plus penalties minus the vendor's penalties. */
  readonly margin: number
  /** Cancellation fees of the vendor. */
  readonly vendorPenalties: number
  /** Amount owed to the vendor: net without the part that properties collect, plus its penalties. */
  readonly payable: number
  /** Charged to cards. */
  readonly collected: number
  readonly refunded: number
  /** Due from cards and not charged. */
  readonly uncollected: number
  readonly disputed: number
  /** Fees of the payment provider in `currency`. */
  readonly providerFees: number
  /** Due from the accounts of bookings without a card payment. */
  readonly onAccount: number
}

const ACTIVE: readonly BookingState[] = ['confirmed', 'cancelling']
const OPEN: readonly BookingState[] = ['submitting', 'in_doubt', 'needs_review']

/** Totals by period, vendor and currencies. */
export async function sumStatement(
  bookings: Iterable<StatementBooking> | AsyncIterable<StatementBooking>,
): Promise<StatementLine[]> {
  const lines = new Map<string, StatementLine>()
  for await (const booking of bookings) {
    const line = toLine(booking)
    const key = [line.period, line.vendorId, line.currency, line.netCurrency].join(' ')
    const before = lines.get(key)
    lines.set(key, before === undefined ? line : addFields(before, line))
  }
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
}

function toLine(booking: StatementBooking): StatementLine {
  const { payment } = booking
  const line = toSalesLine(booking)
  if (payment === undefined) return { ...line, onAccount: line.sold - line.dueAtProperty + line.penalties }
  const { captured, refunded, disputed, owed = 0, goodwill, fee } = payment
  // If the vendor cancels, the guest gets a full refund, whatever fee the vendor names.
  const waived = captured === 0 ? 0 : Math.max(0, line.penalties - owed - goodwill)
  return {
    ...line,
    ...{ penalties: line.penalties - waived, margin: line.margin - waived },
    ...{ collected: captured, refunded, disputed, uncollected: Math.max(0, owed - captured) },
    providerFees: fee?.currency === line.currency ? fee.minor : 0,
  }
}

function toSalesLine(booking: StatementBooking): StatementLine {
  const { period, vendorId, state, isPartlyCancelled = false, price, sale, cancelFee, soldFee } = booking
  const isActive = ACTIVE.includes(state)
  const sold = sale?.price ?? price
  const { payable = price.total } = booking
  const net = netInSaleCurrency({ price, ...(sale && { sale }), payable })
  const empty = {
    ...{ period, vendorId, currency: sold.total.currency, netCurrency: price.total.currency },
    ...{ bookings: 0, cancelled: 0, open: OPEN.includes(state) ? 1 : 0 },
    partlyCancelled: isActive && isPartlyCancelled ? 1 : 0,
    ...{ sold: 0, dueAtProperty: 0, net: 0, penalties: 0, margin: 0, vendorPenalties: 0, payable: 0 },
    ...{ collected: 0, refunded: 0, uncollected: 0, disputed: 0, providerFees: 0, onAccount: 0 },
  }
  if (isActive && !isPartlyCancelled) {
    return {
      ...empty,
      bookings: 1,
      sold: sold.total.minor,
      dueAtProperty: sold.dueAtProperty.minor,
      net: net.minor,
      margin: sold.total.minor - net.minor,
      payable: payable.minor - price.dueAtProperty.minor,
    }
  }
  if (state !== 'cancelled') return empty
  const fee = cancelFee === undefined ? 0 : billedFee(booking, cancelFee).minor
  const penalties = (soldFee ?? (sale === undefined ? cancelFee : undefined))?.minor ?? 0
  const feeInSold = Math.round((fee * net.minor) / Math.max(1, payable.minor))
  return { ...empty, cancelled: 1, penalties, margin: penalties - feeInSold, vendorPenalties: fee, payable: fee }
}
