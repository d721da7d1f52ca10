import type { BookingState } from '../../domain/booking/booking.ts'
import type { Sale } from '../../domain/booking/sale.ts'
import { billedFee, netInSold } from '../../domain/booking/sold.ts'
import type { Money } from '../../domain/money/money.ts'
import type { Price } from '../../domain/offer.ts'

/** As much of a booking as a statement needs. */
export type StatedBooking = {
  readonly month: string
  readonly vendorId: string
  readonly state: BookingState
  /** Some of its rooms are cancelled and others stand. */
  readonly isPartlyCancelled?: boolean
  /** Net. */
  readonly price: Price
  readonly sale?: Sale | undefined
  /** What the vendor bills, where the price is one that it prescribes. */
  readonly payable?: Money
  /** What a cancellation cost: at the vendor, and for the client. */
  readonly cancelFee: Money | undefined
  readonly soldFee: Money | undefined
}

/** One month with one vendor in one pair of currencies. Amounts are in `currency`, those of the vendor in `netCurrency`. */
export type StatementLine = {
  readonly month: string
  readonly vendorId: string
  readonly currency: string
  readonly netCurrency: string
  /** Bookings that stand. */
  readonly bookings: number
  readonly cancelled: number
  /** Bookings whose outcome is not certain; nothing of them is in the sums. */
  readonly open: number
  /** Bookings of which some rooms stand: nobody has told what those cost alone, so nothing of them is in the sums. */
  readonly partlyCancelled: number
  /** The selling totals of the bookings that stand. */
  readonly sold: number
  /** The part of `sold` that properties collect themselves. */
  readonly dueAtProperty: number
  /** The vendor's totals of the same bookings, at the rates of their days. */
  readonly net: number
  /** What clients pay for cancellations. */
  readonly penalties: number
  /** What is earned: `sold` less `net`, and penalties less what vendors charge for them. */
  readonly margin: number
  /** What the vendor charges for cancellations, in its currency. */
  readonly vendorPenalties: number
  /** What is to be paid to the vendor, in its currency: net without what properties collect, and its penalties. */
  readonly payable: number
}

const STANDING: readonly BookingState[] = ['confirmed', 'cancelling']
const OPEN: readonly BookingState[] = ['submitting', 'in_doubt', 'needs_review']

/** The lines of a statement, by month, vendor and currencies. */
export async function statementOf(
  bookings: Iterable<StatedBooking> | AsyncIterable<StatedBooking>,
): Promise<StatementLine[]> {
  const lines = new Map<string, StatementLine>()
  for await (const booking of bookings) {
    const part = partOf(booking)
    const key = [part.month, part.vendorId, part.currency, part.netCurrency].join(' ')
    const before = lines.get(key)
    lines.set(key, before === undefined ? part : added(before, part))
  }
  return [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
}

function partOf(booking: StatedBooking): StatementLine {
  const { month, vendorId, state, isPartlyCancelled = false, price, sale, cancelFee, soldFee } = booking
  const isStanding = STANDING.includes(state)
  const sold = sale?.price ?? price
  const { payable = price.total } = booking
  const net = netInSold({ price, ...(sale && { sale }), payable })
  const nothing = {
    ...{ month, vendorId, currency: sold.total.currency, netCurrency: price.total.currency },
    ...{ bookings: 0, cancelled: 0, open: OPEN.includes(state) ? 1 : 0 },
    partlyCancelled: isStanding && isPartlyCancelled ? 1 : 0,
    ...{ sold: 0, dueAtProperty: 0, net: 0, penalties: 0, margin: 0, vendorPenalties: 0, payable: 0 },
  }
  if (isStanding && !isPartlyCancelled) {
    return {
      ...nothing,
      bookings: 1,
      sold: sold.total.minor,
      dueAtProperty: sold.dueAtProperty.minor,
      net: net.minor,
      margin: sold.total.minor - net.minor,
      payable: payable.minor - price.dueAtProperty.minor,
    }
  }
  if (state !== 'cancelled') return nothing
  const fee = cancelFee === undefined ? 0 : billedFee(booking, cancelFee).minor
  const penalties = (sale === undefined ? cancelFee : soldFee)?.minor ?? 0
  const inSold = Math.round((fee * net.minor) / Math.max(1, payable.minor))
  return { ...nothing, cancelled: 1, penalties, margin: penalties - inSold, vendorPenalties: fee, payable: fee }
}

const added = (a: StatementLine, b: StatementLine): StatementLine => ({
  ...a,
  bookings: a.bookings + b.bookings,
  cancelled: a.cancelled + b.cancelled,
  open: a.open + b.open,
  partlyCancelled: a.partlyCancelled + b.partlyCancelled,
  sold: a.sold + b.sold,
  dueAtProperty: a.dueAtProperty + b.dueAtProperty,
  net: a.net + b.net,
  penalties: a.penalties + b.penalties,
  margin: a.margin + b.margin,
  vendorPenalties: a.vendorPenalties + b.vendorPenalties,
  payable: a.payable + b.payable,
})
