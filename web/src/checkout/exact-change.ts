import type { CancelPolicy, Room, TermChange } from '../api/shapes.ts'
import { type Charge, chargeOf, dueNow, exactTerms } from '../offer/charge.ts'

const AMOUNTS: Readonly<Record<'total_price' | 'due_now' | 'due_at_property', (charge: Charge) => number>> = {
  total_price: ({ total }) => total,
  due_now: dueNow,
  due_at_property: ({ dueAtProperty }) => dueAtProperty,
}

/**
 * The change in the currency of the charge, like all amounts of the checkout. The service reports it in the currency of
 * the search, converted.
 */
export function toExactChange(change: TermChange, shown: Room, now: Room): TermChange {
  const [before, after] = [chargeOf(shown), chargeOf(now)]
  const { currency } = after
  if (before.currency !== currency) return change
  switch (change.what) {
    case 'total_price':
    case 'due_now':
    case 'due_at_property': {
      const amountOf = AMOUNTS[change.what]
      return { ...change, shown: { amount: amountOf(before), currency }, now: { amount: amountOf(after), currency } }
    }
    case 'cancellation_fee': {
      const at = Date.parse(change.now.from)
      const feeOf = (room: Room, { total }: Charge) => findFee(exactTerms(room), total, at)
      return {
        ...change,
        shown: { ...change.shown, amount: feeOf(shown, before), currency },
        now: { ...change.now, amount: feeOf(now, after), currency },
      }
    }
    default:
      return change
  }
}

/** Highest fee in force, as the service computes it. */
function findFee({ cancelation, penalties }: CancelPolicy, total: number, at: number): number {
  if (penalties.length === 0) return cancelation === 'none' ? total : 0
  const begun = penalties.filter(({ from }) => Date.parse(from) <= at)
  const inForce = begun.filter(({ until }) => until === null || Date.parse(until) > at)
  if (inForce.length === 0) return begun.length === penalties.length ? total : 0
  return Math.min(total, Math.max(...inForce.map(({ amount }) => amount)))
}
