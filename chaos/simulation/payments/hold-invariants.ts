import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/lib/time/durations.ts'
import type { Violation } from '../violation.ts'
import { type PaymentCase, violation } from './payment-case.ts'

/** Longest time in which the job must release what is not needed, without faults, crashes or delays. */
const RELEASED_WITHIN_MS = 10 * MINUTE_MS

/** An authorisation ends soon after it is not needed any more. */
export function findForgottenHold(each: PaymentCase): Violation[] {
  const { row, entries, cards, causes } = each
  const { disturbances, jobsFrom, world, endedAt } = cards
  const authorisedAt = entries.find(({ kind }) => kind === 'authorised')?.at
  const uselessFrom = findEndOfUse(each)
  if (causes.has('dashboard') || causes.has('not_released')) return []
  if (authorisedAt === undefined || uselessFrom === undefined) return []
  // The end of a review may change what is owed.
  const reviewedAt = cards.commits.moves.findLast(
    ({ paymentId, from }) => paymentId === row.payment_id && from === 'needs_review',
  )?.at
  const since = Math.max(uselessFrom, reviewedAt ?? 0, authorisedAt, jobsFrom, world.scripted.silentUntil)
  const until = entries.find(({ kind }) => kind === 'captured' || kind === 'released')?.at ?? endedAt
  const quiet = longestGap([since, ...disturbances.filter((at) => at > since && at < until), until])
  if (quiet <= RELEASED_WITHIN_MS) return []
  return violation(
    'hold_left',
    `${row.payment_id} (${row.state}) was held for ${Math.round(quiet / MINUTE_MS)} minutes without need or fault`,
  )
}

/** When the authorisation was last needed; undefined if it still is. */
function findEndOfUse({ row, booking, cards }: PaymentCase): number | undefined {
  if (booking === undefined) return row.expires_at
  const isFree = booking.state === 'rejected' || (booking.state === 'cancelled' && row.owed_minor === 0)
  const { bookingId } = booking
  return isFree ? cards.bookingMoves.findLast((move) => move.bookingId === bookingId)?.at : undefined
}

const longestGap = (times: readonly number[]): number =>
  Math.max(...times.map((time, index) => time - (times[index - 1] ?? time)))

export function findUnseenLapse({ row, entries, intent, cards }: PaymentCase): Violation[] {
  const lapsed = entries.find(({ kind, by }) => kind === 'released' && by === 'provider')
  const end = intent?.captureBefore
  if (lapsed === undefined || end === undefined || lapsed.at < end) return []
  const heldAt = cards.commits.moves.find(({ paymentId, to }) => paymentId === row.payment_id && to === 'held')?.at
  const left = cards.commits.moves.find(({ paymentId, from }) => paymentId === row.payment_id && from === 'held')
  const isHeldUntilEnd = heldAt !== undefined && heldAt < end - DAY_MS && (left === undefined || left.at >= end)
  const warned = cards.commits.warnings.some(
    ({ paymentId, at }) => paymentId === row.payment_id && at <= end - DAY_MS + 2 * HOUR_MS,
  )
  return isHeldUntilEnd && !warned
    ? violation('lapse_unseen', `${row.payment_id} ended without a warning a day before`)
    : []
}
