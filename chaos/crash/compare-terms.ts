import type { CancelPolicy, ListedBooking, ShownTerms } from './api-client.ts'

/** Amounts are rounded to cents twice: when shown and when booked. */
const ROUNDING = 0.03

/**
 * Describes the term that is worse than shown; undefined if none is. The client accepted any price, but nothing else.
 */
export function findWorseTerm(shown: ShownTerms, booking: ListedBooking): string | undefined {
  const { total_price: total, due_at_property: due, room, cancel_policy: policy } = booking
  if (total === undefined || due === undefined || policy === undefined || room === undefined) return undefined
  if (booking.currency !== shown.chargedIn) return undefined
  const growth = Math.max(1, total / shown.total, (total - due) / Math.max(0.01, shown.total - shown.due))
  if (due > shown.due * growth + ROUNDING) return `${due} due at the property, shown ${shown.due}`
  if (room.board !== shown.board) return `board ${room.board}, shown ${shown.board}`
  const moments = [...policy.penalties, ...shown.policy.penalties].map(({ from }) => Date.parse(from))
  for (const instant of [Date.now(), ...moments.filter((moment) => moment > Date.now())]) {
    const [shownFee, fee] = [feeAt(shown.policy, shown.total, instant), feeAt(policy, total, instant)]
    if (fee > (shownFee === 0 ? 0 : shownFee * growth + ROUNDING))
      return `cancelling costs ${fee} at ${new Date(instant).toISOString()}, shown ${shownFee}`
  }
  return undefined
}

function feeAt({ cancelation, penalties }: CancelPolicy, total: number, instant: number): number {
  if (cancelation === 'none' && penalties.length === 0) return total
  const applicable = penalties.filter(
    ({ from, until }) => Date.parse(from) <= instant && (until === null || Date.parse(until) > instant),
  )
  return Math.max(0, ...applicable.map(({ amount }) => amount))
}
