import { type Money, sameMoney, subtractMoney } from '../money/money.ts'
import type { Board, CancelTerms, Notice, Price } from '../offer.ts'
import { penaltyAt } from './cancel-policy.ts'

/** What a person agrees to, beside the room and the stay. */
export type Terms = {
  readonly price: Price
  readonly cancel: CancelTerms | undefined
  readonly board: Board
  readonly notices?: readonly Notice[]
}

/** One difference between what was shown and what holds now. */
export type TermChange =
  | { readonly what: 'total_price' | 'due_now' | 'due_at_property'; readonly shown: Money; readonly now: Money }
  /** What cancelling costs from the moment `from` on. */
  | { readonly what: 'cancellation_fee'; readonly from: number; readonly shown: Money; readonly now: Money }
  | { readonly what: 'refundable'; readonly shown: boolean; readonly now: boolean }
  | { readonly what: 'board'; readonly shown: Board; readonly now: Board }
  | { readonly what: 'currency'; readonly shown: string; readonly now: string }
  | { readonly what: 'notices'; readonly shown: readonly Notice[]; readonly now: readonly Notice[] }

export function priceChange(shown: Terms, now: Terms): TermChange | undefined {
  if (sameMoney(shown.price.total, now.price.total)) return undefined
  return { what: 'total_price', shown: shown.price.total, now: now.price.total }
}

/** Whether it costs more; in another currency that cannot be told, so it counts as more. */
export const costsMore = (shown: Terms, now: Terms): boolean =>
  now.price.total.currency !== shown.price.total.currency || now.price.total.minor > shown.price.total.minor

/**
 * Every way in which `now` is worse than `shown`, the total aside. Amounts may grow as much as the total grows in
 * proportion: whoever accepts the total has accepted that. What has passed at `at` is not compared.
 */
export function worseTerms(shown: Terms, now: Terms, at: number): TermChange[] {
  const [before, after] = [shown.price.total.currency, now.price.total.currency]
  const amounts: TermChange[] =
    before === after
      ? [...worseSplit(shown.price, now.price), ...higherFees(shown, now, at)]
      : [{ what: 'currency', shown: before, now: after }]
  const lost = (shown.cancel?.refundable ?? false) && !(now.cancel?.refundable ?? false)
  return [
    ...amounts,
    ...(lost ? [{ what: 'refundable', shown: true, now: false } as const] : []),
    ...(isBoardLost(shown.board, now.board) ? [{ what: 'board', shown: shown.board, now: now.board } as const] : []),
  ]
}

/** What else must be shown now, or no longer. */
export function noticeChanges(shown: Terms, now: Terms): TermChange[] {
  const [before, after] = [shown.notices ?? [], now.notices ?? []]
  const isSame = before.length === after.length && before.every((notice, at) => isSameNotice(notice, after[at]))
  return isSame ? [] : [{ what: 'notices', shown: before, now: after }]
}

const isSameNotice = (a: Notice, b: Notice | undefined) =>
  a.kind === b?.kind && a.title === b.title && a.text === b.text && a.url === b.url

/** Vendors round each night and room for themselves. */
const ROUNDING_MINOR = 1

/** The most that an amount may be now: as shown, or grown by as much as the total. What was free stays free. */
function allowed(amount: Money, shown: Price, now: Price, growth = growthOf(shown.total, now.total)): number {
  if (now.total.minor <= shown.total.minor || amount.minor === 0) return amount.minor
  return Math.ceil(amount.minor * growth) + ROUNDING_MINOR
}

const growthOf = (shown: Money, now: Money) => (shown.minor > 0 ? now.minor / shown.minor : 1)

const dueNow = ({ total, dueAtProperty }: Price) => subtractMoney(total, dueAtProperty)

/** Fees are a share of what is paid now, which grows faster than the total where the part at the property stays the same. */
const feeGrowth = (shown: Price, now: Price) =>
  Math.max(growthOf(shown.total, now.total), growthOf(dueNow(shown), dueNow(now)))

/** More to pay at the property, or now what was to be paid there. */
function worseSplit(shown: Price, now: Price): TermChange[] {
  if (now.dueAtProperty.minor > allowed(shown.dueAtProperty, shown, now))
    return [{ what: 'due_at_property', shown: shown.dueAtProperty, now: now.dueAtProperty }]
  const [before, after] = [dueNow(shown), dueNow(now)]
  const increase = Math.max(0, now.total.minor - shown.total.minor)
  return after.minor > before.minor + increase ? [{ what: 'due_now', shown: before, now: after }] : []
}

/** Fees are constant between the moments that either policy names, so looking at each of them is looking at all times. */
function higherFees(shown: Terms, now: Terms, at: number): TermChange[] {
  const changes: Extract<TermChange, { what: 'cancellation_fee' }>[] = []
  const growth = feeGrowth(shown.price, now.price)
  for (const from of momentsOf([shown.cancel, now.cancel], at)) {
    const before = penaltyAt(shown.cancel, shown.price.total, from)
    const after = penaltyAt(now.cancel, now.price.total, from)
    const last = changes.at(-1)
    const isToldAlready = last !== undefined && sameMoney(last.shown, before) && sameMoney(last.now, after)
    if (after.minor > allowed(before, shown.price, now.price, growth) && !isToldAlready)
      changes.push({ what: 'cancellation_fee', from, shown: before, now: after })
  }
  return changes
}

function momentsOf(policies: readonly (CancelTerms | undefined)[], at: number): number[] {
  const named = policies.flatMap((terms) => (terms?.penalties ?? []).flatMap(({ from, until }) => [from, until ?? '']))
  const later = named.map((moment) => Date.parse(moment)).filter((moment) => moment > at)
  return [...new Set([at, ...later])].sort((a, b) => a - b)
}

/** How much is to eat; boards that are not here can only be compared for being the same. */
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
