import type { Room } from './generated/api-types.ts'

/** Exact amounts in the currency that the vendor charges in; nothing is converted. */
export type Charge = {
  readonly currency: string
  readonly total: number
  readonly taxesFees: number
  readonly dueAtProperty: number
  readonly fees: Room['fees']
}

export function getRoomCharge(room: Room): Charge {
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
