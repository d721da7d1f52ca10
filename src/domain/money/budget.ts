import { AppError } from '../errors.ts'
import { type Money, toDecimal } from './money.ts'

export const BUDGET_PERIODS = ['day', 'month'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

/** How much may be booked in a calendar day or month of UTC. */
export type Budget = { readonly limit: Money; readonly per: BudgetPeriod }

const DAY_CHARACTERS = 10
const MONTH_CHARACTERS = 7

/** The calendar day of UTC, such as `2027-01-15`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, DAY_CHARACTERS)

/** The first and the last day that belong to the present period, as far as days are compared as text. */
export function periodOf(per: BudgetPeriod, at: number): { readonly from: string; readonly to: string } {
  const day = dayOf(at)
  if (per === 'day') return { from: day, to: day }
  const month = day.slice(0, MONTH_CHARACTERS)
  return { from: `${month}-01`, to: `${month}-31` }
}

/** When the whole budget is there again. */
export function renewsAt(per: BudgetPeriod, at: number): number {
  const now = new Date(at)
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)
}

/** What stays spent of `spent` when a booking of `total` was cancelled for `fee`; a part of a cent stays spent. */
export function keptAfterCancelling(spent: number, fee: Money | undefined, total: Money): number {
  if (fee === undefined || fee.minor <= 0 || total.minor <= 0) return 0
  // In whole numbers: a product of two amounts may be too large for a double.
  const [part, whole] = [BigInt(Math.min(fee.minor, total.minor)), BigInt(total.minor)]
  return Number((BigInt(spent) * part + whole - 1n) / whole)
}

/** A booking would cost more than is left of the budget of its key. */
export class BudgetExceeded extends AppError {
  readonly budget: Budget
  readonly left: Money
  readonly renewsAt: number

  constructor(budget: Budget, left: Money, at: number, needed: Money, hasRate: boolean) {
    const rest = `${toDecimal(left)} ${left.currency} of this ${budget.per}’s budget`
    const price = `${toDecimal(needed)} ${needed.currency}`
    super(
      'budget_exceeded',
      hasRate
        ? `The booking costs ${price}, and the key has ${rest} left. Nothing was booked.`
        : `The booking costs ${price}, for which there is no exchange rate, so it cannot be compared with the ${rest} that the key has left. Nothing was booked.`,
    )
    this.budget = budget
    this.left = left
    this.renewsAt = renewsAt(budget.per, at)
  }
}
