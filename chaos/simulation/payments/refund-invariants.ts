import type { Violation } from '../violation.ts'
import type { OperatorOrder } from './card-step.ts'
import { type PaymentCase, penaltyOf, stateAt, violation } from './payment-case.ts'
import { sumOf } from './provider-ledger.ts'

/** True if an operator has ended a review, possibly with amounts other than those owed. */
export const hasEndedReview = (orders: readonly OperatorOrder[]): boolean => orders.some(({ act }) => act !== 'refunds')

const sumOrders = (orders: readonly OperatorOrder[]): number => orders.reduce((sum, { amount }) => sum + amount, 0)

/** A cancelled booking keeps its fee, less what operators gave back beyond the terms. */
export function findWrongRefund({ row, booking, intent, causes, orders, cards }: PaymentCase): Violation[] {
  if (booking?.state !== 'cancelled' || !['captured', 'voided'].includes(row.state)) return []
  if (causes.has('dashboard') || causes.has('ended') || hasEndedReview(orders)) return []
  const captured = intent?.captured ?? 0
  const kept = captured - sumOf(intent?.refunds ?? [])
  const cancelled = cards.bookingMoves.findLast(
    ({ bookingId, to }) => bookingId === booking.bookingId && to === 'cancelled',
  )
  const at = cancelled?.order ?? 0
  // Which of the two came first is unknown.
  if (
    orders.some(({ outcome, beganOrder, endedOrder }) => outcome === 'unknown' || (beganOrder < at && endedOrder > at))
  )
    return []
  // A cancellation by the vendor costs the guest nothing, whatever fee it names.
  const penalty = cancelled?.isByVendor === true ? 0 : penaltyOf(booking)
  const before = sumOrders(orders.filter(({ endedOrder }) => endedOrder < at))
  const owed = before === 0 ? penalty : Math.min(penalty, captured - before)
  const expected = owed - sumOrders(orders.filter(({ beganOrder }) => beganOrder > at))
  if (kept === expected) return []
  return violation('refund_wrong', `${booking.bookingId} costs ${expected}, and ${row.payment_id} kept ${kept}`)
}

/** Each order of a refund counts once. */
export function findWrongGoodwill({ row, orders }: PaymentCase): Violation[] {
  const certain = sumOrders(orders.filter(({ outcome }) => outcome === 'done'))
  return row.goodwill_minor >= certain && row.goodwill_minor <= sumOrders(orders)
    ? []
    : violation('refund_wrong', `operators refunded ${certain} of ${row.payment_id}, which has ${row.goodwill_minor}`)
}

export function findRepeatedRefund({ row, booking, intent, entries, orders, cards, causes }: PaymentCase): Violation[] {
  const refunds = intent?.refunds ?? []
  const kept = refunds.filter(({ state }) => state !== 'failed')
  const operations = kept.flatMap(({ operation }) => operation ?? [])
  const found: Violation[] = []
  if (sumOf(refunds) > (intent?.captured ?? 0))
    found.push(...violation('refunded_twice', `${row.payment_id} refunded more than it captured`))
  if (new Set(operations).size < operations.length)
    found.push(...violation('refunded_twice', `${row.payment_id} made one refund twice`))
  if (causes.has('dashboard')) return found
  const unordered = entries.filter(({ kind, order, operation }) => {
    const state = stateAt(cards, booking?.bookingId, order)
    const isKept = operation === undefined || operations.includes(operation)
    return kind === 'refunded' && isKept && (state === 'confirmed' || state === 'cancelling')
  })
  if (unordered.reduce((sum, { amount }) => sum + amount, 0) > sumOrders(orders))
    found.push(...violation('refunded_twice', `${row.payment_id} was refunded while its booking was confirmed`))
  return found
}
