import { type Money, sameMoney, subtractMoney } from '../money/money.ts'
import type { Board, CancelTerms, Notice, Price } from '../offer.ts'
import { penaltyAt } from './cancel-policy.ts'

/** Terms that the client agrees to, besides the room and the stay. */
export type Terms = {
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly board: Board
  readonly notices?: readonly Notice[]
}

/** Difference between the terms shown to the client and the current ones. */
export type TermChange =
  | { readonly what: 'total_price' | 'due_now' | 'due_at_property'; readonly shown: Money; readonly now: Money }
  /** Applies from the time `from`. */
  | { readonly what: 'cancellation_fee'; readonly from: number; readonly shown: Money; readonly now: Money }
  | { readonly what: 'refundable'; readonly shown: boolean; readonly now: boolean }
  | { readonly what: 'board'; readonly shown: Board; readonly now: Board }
  | { readonly what: 'currency'; readonly shown: string; readonly now: string }
  | { readonly what: 'notices'; readonly shown: readonly Notice[]; readonly now: readonly Notice[] }

export function priceChange(shown: Terms, now: Terms): TermChange | undefined {
  if (sameMoney(shown.price.total, now.price.total)) return undefined
  return { what: 'total_price', shown: shown.price.total, now: now.price.total }
}

/** Prices in another currency cannot be compared and are treated as higher. */
export const costsMore = (shown: Terms, now: Terms): boolean =>
  now.price.total.currency !== shown.price.total.currency || now.price.total.minor > shown.price.total.minor

/**
 * Finds every way in which `now` is worse than `shown`, apart from the total. Amounts may grow in proportion to the total,
 * which the client has accepted.
 */
export function findWorseTerms(shown: Terms, now: Terms, since: number): TermChange[] {
  const [before, after] = [shown.price.total.currency, now.price.total.currency]
  const amounts: TermChange[] =
    before === after
      ? [...worseSplit(shown.price, now.price), ...higherFees(shown, now, since)]
      : [{ what: 'currency', shown: before, now: after }]
  const lost = (shown.cancel?.refundable ?? false) && !(now.cancel?.refundable ?? false)
  return [
    ...amounts,
    ...(lost ? [{ what: 'refundable', shown: true, now: false } as const] : []),
    ...(isBoardLost(shown.board, now.board) ? [{ what: 'board', shown: shown.board, now: now.board } as const] : []),
  ]
}

export function noticeChanges(shown: Terms, now: Terms): TermChange[] {
  const [before, after] = [shown.notices ?? [], now.notices ?? []]
  const isSame = before.length === after.length && before.every((notice, i) => isSameNotice(notice, after[i]))
  return isSame ? [] : [{ what: 'notices', shown: before, now: after }]
}

const isSameNotice = (a: Notice, b: Notice | undefined) =>
  a.kind === b?.kind && a.title === b.title && a.text === b.text && a.url === b.url

/** Vendors round each night and room separately. */
const ROUNDING_MINOR = 1

/** Maximum for the current amount: as shown, or grown in proportion to the total. Free amounts must stay free. */
function allowed(amount: Money, shown: Price, now: Price, growth = growthFactor(shown.total, now.total)): number {
  if (now.total.minor <= shown.total.minor || amount.minor === 0) return amount.minor
  return Math.ceil(amount.minor * growth) + ROUNDING_MINOR
}

const growthFactor = (shown: Money, now: Money) => (shown.minor > 0 ? now.minor / shown.minor : 1)

const dueNow = ({ total, dueAtProperty }: Price) => subtractMoney(total, dueAtProperty)

/** Fees are a share of the amount paid now, which grows faster than the total if the part at the property is unchanged. */
const feeGrowth = (shown: Price, now: Price) =>
  Math.max(growthFactor(shown.total, now.total), growthFactor(dueNow(shown), dueNow(now)))

/** More is due at the property, or an amount that was due there is now due at booking. */
function worseSplit(shown: Price, now: Price): TermChange[] {
  if (now.dueAtProperty.minor > allowed(shown.dueAtProperty, shown, now))
    return [{ what: 'due_at_property', shown: shown.dueAtProperty, now: now.dueAtProperty }]
  const [before, after] = [dueNow(shown), dueNow(now)]
  const increase = Math.max(0, now.total.minor - shown.total.minor)
  return after.minor > before.minor + increase ? [{ what: 'due_now', shown: before, now: after }] : []
}

/** Fees only change at the times named in either policy, so comparing them at these times is sufficient. */
function higherFees(shown: Terms, now: Terms, since: number): TermChange[] {
  const changes: Extract<TermChange, { what: 'cancellation_fee' }>[] = []
  const growth = feeGrowth(shown.price, now.price)
  for (const from of listFeeTimes([shown.cancel, now.cancel], since)) {
    const before = penaltyAt(shown.cancel, shown.price.total, from)
    const after = penaltyAt(now.cancel, now.price.total, from)
    const last = changes.at(-1)
    const isReported = last !== undefined && sameMoney(last.shown, before) && sameMoney(last.now, after)
    if (after.minor > allowed(before, shown.price, now.price, growth) && !isReported)
      changes.push({ what: 'cancellation_fee', from, shown: before, now: after })
  }
  return changes
}

function listFeeTimes(policies: readonly (CancelTerms | undefined)[], since: number): number[] {
  const named = policies.flatMap((terms) => (terms?.penalties ?? []).flatMap(({ from, until }) => [from, until ?? '']))
  const later = named.map((iso) => Date.parse(iso)).filter((time) => time > since)
  return [...new Set([since, ...later])].sort((a, b) => a - b)
}

/** Rank of each board. Other boards can only be compared for equality. */
const MEALS: Partial<Record<Board, number>> = {
  room_only: 0,
  breakfast: 1,
  half_board: 2,
  full_board: 3,
  all_inclusive: 4,
}

function isBoardLost(shown: Board, now: Board): boolean {
  if (shown === now) return false
  const [before, after] = [MEALS[shown], MEALS[now]]
  return before === undefined || after === undefined || after < before
}
