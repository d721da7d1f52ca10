import { soldBooking } from '../booking/apply-sale.ts'
import type { Booking, BookingEvent } from '../booking/booking.ts'
import { type Money, subtractMoney, zero } from '../money/money.ts'
import type { Price } from '../offer.ts'

/** Amount that the guest pays by card. The property collects the rest. */
export const dueByCard = ({ total, dueAtProperty }: Price): Money => subtractMoney(total, dueAtProperty)

export type Due = {
  /** Undefined: unchanged. */
  readonly owed?: Money
  readonly isFrozen: boolean
  /** The vendor cancelled by itself and named a fee. */
  readonly hasVendorFee?: boolean
}

/** Amount that the guest owes after a move of the booking; undefined if the move does not concern the payment. */
export function dueAfterMove(
  booking: Booking,
  { kind, to, by }: Pick<BookingEvent, 'kind' | 'to' | 'by'>,
): Due | undefined {
  if (kind !== undefined) return undefined
  const { price, cancelFee } = soldBooking(booking)
  const due = dueByCard(price)
  switch (to) {
    case 'confirmed':
    case 'cancelling':
      return { owed: due, isFrozen: false }
    case 'rejected':
      return { owed: zero(due.currency), isFrozen: false }
    case 'needs_review':
      return booking.confirmedAt === undefined ? undefined : { isFrozen: true }
    case 'cancelled': {
      // The guest did not ask for it, so whether to pass on the vendor's fee is an operator's decision.
      const isByVendor = by?.actor.kind === 'vendor'
      const penalty = (isByVendor ? undefined : cancelFee) ?? zero(due.currency)
      const owed = { ...penalty, minor: Math.min(penalty.minor, due.minor) }
      return { owed, isFrozen: false, hasVendorFee: isByVendor && (cancelFee?.minor ?? 0) > 0 }
    }
    default:
      return undefined
  }
}
