import type { Booking, CancelPolicy, Fee, Room } from '../api/shapes.ts'

/** The exact amounts of a room in the currency the vendor charges in. Nothing in it is converted. */
export type Charge = {
  readonly currency: string
  readonly total: number
  readonly taxesFees: number
  readonly dueAtProperty: number
  readonly fees: readonly Fee[]
}

/** Of a room as shown in the list of rooms and at the checkout. */
export function chargeOf(room: Room): Charge {
  const { converted_from: own, currency, total_inclusive, taxes_fees, due_at_property, fees } = room
  return own === null
    ? { currency, total: total_inclusive, taxesFees: taxes_fees, dueAtProperty: due_at_property, fees }
    : {
        currency: own.currency,
        total: own.total,
        taxesFees: own.taxes_fees,
        dueAtProperty: own.due_at_property,
        fees: own.fees,
      }
}

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
export const subtract = (a: number, b: number): number => Math.round((a - b) * 1000) / 1000

/** The cancellation terms with the fees as the vendor will charge them. */
export const exactTerms = ({ cancel_policy, converted_from }: Room): CancelPolicy =>
  converted_from === null ? cancel_policy : { ...cancel_policy, penalties: converted_from.penalties }

/** What "taxes and fees" is made of. One entry that is the whole of it says nothing new, and is left out. */
export function feeParts({ fees, taxesFees }: Charge): readonly Fee[] {
  const [only] = fees
  const isWhole = fees.length === 1 && only?.paid_at === 'booking' && only.amount === taxesFees
  return isWhole ? [] : fees
}
