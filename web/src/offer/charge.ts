import { type Charge, getRoomCharge } from '../../../packages/client/src/room-charge.ts'
import type { Booking, CancelPolicy, Fee, Room } from '../api/shapes.ts'

export { type Charge, getRoomCharge as chargeOf }

/** Bookings use the vendor's currency throughout. */
export const bookedCharge = (booking: Booking): Charge => ({
  currency: booking.currency,
  total: booking.total_price,
  taxesFees: booking.taxes_fees,
  dueAtProperty: booking.due_at_property,
  fees: booking.fees,
})

/** The only place that splits the total, so that every page shows the same amount. */
export const dueNow = ({ total, dueAtProperty }: Charge): number => subtract(total, dueAtProperty)

export const priceBeforeTaxes = ({ total, taxesFees }: Charge): number => subtract(total, taxesFees)

/** Avoids binary rounding noise; no currency has more than three decimals. */
const subtract = (a: number, b: number): number => Math.round((a - b) * 1000) / 1000

/** Cancellation terms with the fees in the vendor's currency. */
export const exactTerms = ({ cancel_policy, converted_from }: Room): CancelPolicy =>
  converted_from === null ? cancel_policy : { ...cancel_policy, penalties: converted_from.penalties }

/** Share of the amount charged that a cancellation fee takes; excludes what is paid at the property. */
export const classifyLoss = (fee: number, charged: number): 'none' | 'part' | 'all' =>
  fee === 0 ? 'none' : fee < charged - 0.005 ? 'part' : 'all'

/** Amount paid back of what was charged. */
export const refundAfter = (fee: number, charged: number): number => Math.max(0, subtract(charged, fee))

/** Parts of "taxes and fees". A single part that equals the whole is omitted. */
export function listFeeParts({ fees, taxesFees }: Charge): readonly Fee[] {
  const [only] = fees
  const isWhole = fees.length === 1 && only?.paid_at === 'booking' && only.amount === taxesFees
  return isWhole ? [] : fees
}
