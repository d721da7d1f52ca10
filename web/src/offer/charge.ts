import { type Charge, chargeOf } from '../../../packages/client/src/room-charge.ts'
import type { Booking, CancelPolicy, Fee, Room } from '../api/shapes.ts'

export { type Charge, chargeOf }

/** Of a booking, which has the vendor's currency throughout. */
export const bookedCharge = (booking: Booking): Charge => ({
  currency: booking.currency,
  total: booking.total_price,
  taxesFees: booking.taxes_fees,
  dueAtProperty: booking.due_at_property,
  fees: booking.fees,
})

/** The only place that splits the total, so that every page shows the same figure. */
export const dueNow = ({ total, dueAtProperty }: Charge): number => subtract(total, dueAtProperty)

export const baseOf = ({ total, taxesFees }: Charge): number => subtract(total, taxesFees)

/** Without the noise of binary fractions; no currency has more than three decimals. */
const subtract = (a: number, b: number): number => Math.round((a - b) * 1000) / 1000

/** The cancellation terms with the fees as the vendor will charge them. */
export const exactTerms = ({ cancel_policy, converted_from }: Room): CancelPolicy =>
  converted_from === null ? cancel_policy : { ...cancel_policy, penalties: converted_from.penalties }

/** Whether a cancellation fee is nothing, a part or all of the amount charged. What is paid at the property is not part of that amount. */
export const lossOf = (fee: number, charged: number): 'none' | 'part' | 'all' =>
  fee === 0 ? 'none' : fee < charged - 0.005 ? 'part' : 'all'

/** What "taxes and fees" is made of. One entry that is the whole of it says nothing new, and is left out. */
export function feeParts({ fees, taxesFees }: Charge): readonly Fee[] {
  const [only] = fees
  const isWhole = fees.length === 1 && only?.paid_at === 'booking' && only.amount === taxesFees
  return isWhole ? [] : fees
}
