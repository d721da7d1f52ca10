import { excessOf } from '../../domain/payment/payment.ts'
import type { PaymentView } from '../provider.ts'
import { absorbView, isForeign, markReturned } from './absorb-view.ts'
import {
  addEntry,
  announce,
  moveTo,
  openOperation,
  type PaymentFile,
  planOperation,
  review,
  updatePayment,
} from './payment-file.ts'
import { planNext } from './plan-next.ts'
import { type SettleLimits, settleOperation } from './settle-operation.ts'

export type Decision = {
  readonly file: PaymentFile
  /** The open operation is to be sent again, under its key. */
  readonly isSentAgain: boolean
}

/**
 * Decides what follows from the provider's present view. Takes at most one step of the state machine; the job looks again
 * until nothing follows.
 */
export function decide(file: PaymentFile, view: PaymentView, limits: SettleLimits): Decision {
  const { now } = limits
  if (isForeign(file, view)) {
    const isEnded = file.payment.state === 'voided' || file.payment.state === 'failed'
    const looked = updatePayment(file, { lookedAt: now })
    return { file: isEnded ? looked : review(looked, 'unknown_object', now), isSentAgain: false }
  }
  const known = absorbView(file, view, now)
  const { file: settled, next } = settleOperation(known, view, limits)
  if (next !== 'settled') return { file: settled, isSentAgain: next === 'again' }
  const followed = settled.payment.state === file.payment.state ? followView(settled, view, now) : settled
  const isMoved = followed.payment.state !== file.payment.state
  return { file: isMoved ? followed : planNext(followed, now), isSentAgain: false }
}

/** Follows changes at the provider that we did not order. */
function followView(file: PaymentFile, view: PaymentView, now: number): PaymentFile {
  const { state } = file.payment
  switch (state) {
    case 'open':
    case 'authorised':
      return followUnclaimed(file, view, now)
    case 'held':
      if (view.status === 'captured') return capturedElsewhere(file, now)
      if (view.status === 'gone') return lapse(file, now)
      return warnOfEnd(file, now)
    case 'capturing': {
      const isLost = view.status === 'gone' && file.payment.owed !== 0 && openOperation(file) === undefined
      if (isLost) return review(file, 'uncollected', now)
      return file.payment.isFrozen ? warnOfEnd(file, now) : file
    }
    case 'captured':
    case 'refunding':
    case 'needs_review':
      return followReturned(file, view, now)
    case 'voiding':
      return view.status === 'captured' ? capturedElsewhere(file, now) : file
    default:
      return file
  }
}

function followUnclaimed(file: PaymentFile, view: PaymentView, now: number): PaymentFile {
  const { state, expiresAt } = file.payment
  if (view.status === 'captured') return capturedElsewhere(updatePayment(file, { owed: 0 }), now)
  if (view.status === 'gone') return state === 'open' ? moveTo(file, 'failed', now) : lapse(file, now)
  if (now >= expiresAt) return release(file, now)
  return view.status === 'authorised' ? moveTo(file, 'authorised', now) : file
}

/** Gives back a payment that no booking has claimed. */
export const release = (file: PaymentFile, now: number): PaymentFile =>
  moveTo(planOperation(updatePayment(file, { owed: 0 }), 'void', file.payment.authorised), 'voiding', now)

const capturedElsewhere = (file: PaymentFile, now: number) => review(file, 'captured_elsewhere', now)

function lapse(file: PaymentFile, now: number): PaymentFile {
  const ended = addEntry(file, 'released', -file.payment.authorised, now)
  const lapsed = moveTo(ended, 'lapsed', now)
  if (file.payment.bookingId === undefined) return lapsed
  return announce(updatePayment(lapsed, { reason: 'lapsed' }), 'payment_needs_review')
}

/** An undecided booking, or one in review, must be decided before its authorisation ends. */
export const WARN_BEFORE_END_MS = 24 * 3_600_000

function warnOfEnd(file: PaymentFile, now: number): PaymentFile {
  const { captureBefore, reason } = file.payment
  if (captureBefore === undefined || now < captureBefore - WARN_BEFORE_END_MS || reason === 'hold_ending') return file
  return announce(updatePayment(file, { reason: 'hold_ending' }), 'payment_needs_review')
}

/** A refund that came back is not sent to the same card again. */
function followReturned(file: PaymentFile, view: PaymentView, now: number): PaymentFile {
  const marked = markReturned(file, view)
  if (marked.operations.every((operation, i) => operation === file.operations[i]) || excessOf(marked.payment) <= 0)
    return marked
  return announce(review(marked, 'refund_failed', now), 'payment_failed')
}
