import type { Money } from '../../domain/money.ts'
import { shareOf } from '../../domain/money.ts'
import type { Board, CancelTerms } from '../../domain/offer.ts'
import { nightsOf, type Stay } from '../../domain/stay.ts'
import { addDays } from '../../lib/plain-date.ts'
import { instantOf, zonedIso } from '../../lib/zoned-time.ts'
import { draw } from './draw.ts'
import type { Site } from './town.ts'

export type RatePlan = {
  readonly id: string
  readonly board: Board
  readonly isRefundable: boolean
  readonly factor: number
  readonly extras: readonly string[]
}

const PLANS = {
  saver: { id: 'saver', board: 'room_only', isRefundable: false, factor: 0.9, extras: [] },
  flex: { id: 'flex', board: 'room_only', isRefundable: true, factor: 1, extras: [] },
  saver_breakfast: {
    id: 'saver_breakfast',
    board: 'breakfast',
    isRefundable: false,
    factor: 1.02,
    extras: ['Free breakfast'],
  },
  flex_breakfast: {
    id: 'flex_breakfast',
    board: 'breakfast',
    isRefundable: true,
    factor: 1.13,
    extras: ['Free breakfast'],
  },
} as const satisfies Record<string, RatePlan>

const PAIRS: readonly (readonly [RatePlan, RatePlan])[] = [
  [PLANS.saver, PLANS.flex_breakfast],
  [PLANS.flex, PLANS.flex_breakfast],
  [PLANS.saver, PLANS.saver_breakfast],
]

/** Each house sells its rooms at two rates: one that can be given back, both, or none. */
export const ratePlansOf = ({ propertyId }: Site): readonly RatePlan[] =>
  PAIRS[draw('plans', propertyId) % PAIRS.length] ?? []

/** When giving back begins to cost something: two days before, at six in the evening where the house stands. */
export const freeUntil = (stay: Stay, timezone: string): number => freedomOf(stay, timezone).until

let latest: { readonly key: string; readonly until: number; readonly iso: string } | undefined

/** Whole towns are offered for the same stay, so the last answer is kept. */
function freedomOf({ checkIn }: Stay, timezone: string): { readonly until: number; readonly iso: string } {
  const key = `${checkIn} ${timezone}`
  if (latest?.key !== key) {
    const until = instantOf(addDays(checkIn, -2), '18:00', timezone)
    latest = { key, until, iso: zonedIso(until, timezone) }
  }
  return latest
}

/** Late cancelling costs the first night; a rate that is not refundable costs everything from the start. */
export const lateFee = (plan: RatePlan, total: Money, stay: Stay): Money =>
  plan.isRefundable ? shareOf(total, 1, Math.max(1, nightsOf(stay))) : total

/** The terms of every rate of one stay; when they begin to hold is the same for all rates of a kind. */
export function cancelTermsIn(stay: Stay, timezone: string, now: number) {
  const { iso: late } = freedomOf(stay, timezone)
  const atOnce = zonedIso(now, timezone)
  return (plan: RatePlan, total: Money): CancelTerms => ({
    penalties: [{ from: plan.isRefundable ? late : atOnce, amount: lateFee(plan, total, stay) }],
    refundable: plan.isRefundable,
  })
}
