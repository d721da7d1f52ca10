import { buildCharge } from './charge-object.ts'
import { buildDispute, buildIntent, buildRefund, buildReview } from './objects.ts'
import { type Parts, recordMoney, seconds } from './parts.ts'
import type { KeptIntent, KeptRefund } from './state.ts'

/** Does what became due since the last request: holds lapse, refunds succeed or fail. */
export function applyDueChanges(parts: Parts): void {
  const now = parts.clock.now()
  for (const kept of parts.state.waiting()) {
    if (kept.status === 'requires_capture' && kept.charge !== undefined && kept.charge.lapsesAt <= now) {
      lapse(parts, kept)
      continue
    }
    for (const refund of kept.refunds) {
      if (refund.changesAt !== undefined && refund.changesAt <= now) finishRefund(parts, kept.id, refund)
    }
  }
}

/** Stripe ends an authorisation that was not captured in time. */
export function lapse(parts: Parts, kept: KeptIntent): void {
  const lapsed: KeptIntent = {
    ...kept,
    status: 'canceled',
    canceledAt: seconds(parts.clock),
    cancellationReason: 'automatic',
  }
  parts.state.save(lapsed)
  recordMoney(parts, kept, 'released', kept.amount)
  parts.events.add('charge.expired', buildCharge(lapsed, new Set()))
  parts.events.add('payment_intent.canceled', buildIntent(lapsed, parts.origin()))
}

/** A pending refund succeeds; one that had succeeded comes back from the bank. */
export function finishRefund(parts: Parts, intentId: string, { id, status }: KeptRefund): void {
  const kept = parts.state.find(intentId)
  if (kept === undefined) return
  const failed = status === 'succeeded'
  const refunds = kept.refunds.map(({ changesAt: _due, ...refund }): KeptRefund => {
    if (refund.id !== id) return _due === undefined ? refund : { ...refund, changesAt: _due }
    return failed
      ? { ...refund, status: 'failed', failureReason: 'expired_or_canceled_card' }
      : { ...refund, status: 'succeeded' }
  })
  const changed = { ...kept, refunds }
  parts.state.save(changed)
  const refund = refunds.find((each) => each.id === id)
  if (refund === undefined) return
  if (failed) recordMoney(parts, kept, 'refund_failed', refund.amount, refund.metadata.serai_refund)
  parts.events.add(failed ? 'refund.failed' : 'refund.updated', buildRefund(changed, refund))
}

/** The guest's bank takes the money back. Returns false unless the payment was captured. */
export function openDispute(parts: Parts, kept: KeptIntent, reason: string): boolean {
  if (kept.status !== 'succeeded' || kept.dispute !== undefined) return false
  const dispute = {
    id: parts.createId('dp'),
    amount: kept.amountReceived,
    created: seconds(parts.clock),
    reason,
    status: reason === 'inquiry' ? ('warning_needs_response' as const) : ('needs_response' as const),
  }
  const disputed = { ...kept, dispute }
  parts.state.save(disputed)
  recordMoney(parts, kept, 'disputed', dispute.amount)
  parts.events.add('charge.dispute.created', buildDispute(disputed, dispute))
  return true
}

export function closeDispute(parts: Parts, kept: KeptIntent, status: 'won' | 'lost'): boolean {
  if (kept.dispute === undefined) return false
  const dispute = { ...kept.dispute, status }
  const closed = { ...kept, dispute }
  parts.state.save(closed)
  parts.events.add('charge.dispute.closed', buildDispute(closed, dispute))
  return true
}

/** A person at the fraud check approves the payment. */
export function closeReview(parts: Parts, kept: KeptIntent): boolean {
  if (kept.review?.isOpen !== true) return false
  const review = { ...kept.review, isOpen: false }
  const closed = { ...kept, review }
  parts.state.save(closed)
  parts.events.add('review.closed', buildReview(closed, review))
  return true
}
