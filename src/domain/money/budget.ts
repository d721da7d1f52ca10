import { AppError } from '../errors.ts'
import { type Money, toDecimal } from './money.ts'

export const BUDGET_PERIODS = ['day', 'month'] as const
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number]

/** Limit for a calendar day or month in UTC. */
export type Budget = { readonly limit: Money; readonly per: BudgetPeriod }

const DAY_CHARACTERS = 10
const MONTH_CHARACTERS = 7

/** Calendar day in UTC, such as `2027-01-15`. */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, DAY_CHARACTERS)

/** Inclusive bounds for days compared as text. */
export function periodBounds(per: BudgetPeriod, time: number): { readonly from: string; readonly to: string } {
  const day = utcDay(time)
  if (per === 'day') return { from: day, to: day }
  const month = day.slice(0, MONTH_CHARACTERS)
  return { from: `${month}-01`, to: `${month}-31` }
}

export function renewsAt(per: BudgetPeriod, time: number): number {
  const date = new Date(time)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  return per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1)
}

/** Share of `spent` that remains after a booking of `total` was cancelled for `fee`, rounded up. */
export function spentAfterCancelling(spent: number, fee: Money | undefined, total: Money): number {
  if (fee === undefined || fee.minor <= 0 || total.minor <= 0) return 0
  // BigInt: a product of two amounts may be too large for a double.
  const [part, whole] = [BigInt(Math.min(fee.minor, total.minor)), BigInt(total.minor)]
  return Number((BigInt(spent) * part + whole - 1n) / whole)
}

export class BudgetExceeded extends AppError {
  readonly budget: Budget
  readonly left: Money
  readonly renewsAt: number

  constructor(budget: Budget, left: Money, now: number, needed: Money, hasRate: boolean) {
    const rest = `${toDecimal(left)} ${left.currency} of this ${budget.per}’s budget`
    const price = `${toDecimal(needed)} ${needed.currency}`
    super(
      'budget_exceeded',
      hasRate
        ? `The booking costs ${price}, and the key has ${rest} left. Nothing was booked. Choose a cheaper room, or wait until the budget renews.`
        : `The booking costs ${price}, which cannot be compared with the ${rest} that the key has left: there is no exchange rate. Nothing was booked. Search in ${left.currency}.`,
    )
    this.budget = budget
    this.left = left
    this.renewsAt = renewsAt(budget.per, now)
  }
}
