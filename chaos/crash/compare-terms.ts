import type { CancelPolicy, ListedBooking, ShownTerms } from './api-client.ts'

/** Amounts are rounded to cents, once when shown and once when booked. */
const ROUNDING = 0.03

/** How a booking is worse than what its client was shown; undefined if it is not. Any price was accepted, nothing else was. */
export function worseThanShown(shown: ShownTerms, booking: ListedBooking): string | undefined {
  const { total_price: total, due_at_property: due, room, cancel_policy: policy } = booking
  if (total === undefined || due === undefined || policy === undefined || room === undefined) return undefined
  if (booking.currency !== shown.chargedIn) return undefined
  const growth = Math.max(1, total / shown.total, (total - due) / Math.max(0.01, shown.total - shown.due))
  if (due > shown.due * growth + ROUNDING) return `${due} due at the property, shown ${shown.due}`
  if (room.board !== shown.board) return `board ${room.board}, shown ${shown.board}`
  const moments = [...policy.penalties, ...shown.policy.penalties].map(({ from }) => Date.parse(from))
  for (const at of [Date.now(), ...moments.filter((moment) => moment > Date.now())]) {
    const [was, is] = [feeAt(shown.policy, shown.total, at), feeAt(policy, total, at)]
    if (is > (was === 0 ? 0 : was * growth + ROUNDING))
      return `cancelling costs ${is} at ${new Date(at).toISOString()}, shown ${was}`
  }
  return undefined
}

function feeAt({ cancelation, penalties }: CancelPolicy, total: number, at: number): number {
  if (cancelation === 'none' && penalties.length === 0) return total
  const holding = penalties.filter(
    ({ from, until }) => Date.parse(from) <= at && (until === null || Date.parse(until) > at),
  )
  return Math.max(0, ...holding.map(({ amount }) => amount))
}
