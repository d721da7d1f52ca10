import type { PaymentOperation } from '../../domain/payment/payment.ts'
import type { PaymentView, RefundView } from '../provider.ts'
import { addEntry, announce, type PaymentFile, updateOperation, updatePayment } from './payment-file.ts'

/** Takes over the provider's amounts. The same view twice changes nothing the second time. */
export function absorbView(file: PaymentFile, view: PaymentView, at: number): PaymentFile {
  const seen = updatePayment(file, {
    lookedAt: at,
    isInReview: view.isInReview,
    ...(view.captureBefore !== undefined && { captureBefore: view.captureBefore }),
    // Read once: after personal data was erased, a later look must not bring it back.
    ...(view.card !== undefined && file.payment.authorised === 0 && { card: view.card }),
    failure: view.status === 'open' ? view.failure : undefined,
  })
  return absorbDispute(absorbRefunds(absorbCapture(absorbHold(seen, view, at), view, at), view, at), view, at)
}

/** True if the object at the provider is not this payment. */
export const isForeign = ({ payment }: PaymentFile, view: PaymentView): boolean =>
  view.isLive !== payment.isLive ||
  view.paymentId !== payment.paymentId ||
  view.authorised.currency !== payment.currency ||
  view.captured.currency !== payment.currency

function absorbHold(file: PaymentFile, { status, authorised }: PaymentView, at: number): PaymentFile {
  const isHeld = status === 'authorised' || status === 'captured'
  if (!isHeld || file.payment.authorised > 0) return file
  return addEntry(updatePayment(file, { authorised: authorised.minor }), 'authorised', authorised.minor, at)
}

function absorbCapture(file: PaymentFile, { status, captured }: PaymentView, at: number): PaymentFile {
  if (status !== 'captured' || file.payment.captured > 0) return file
  const ordered = file.operations.find(({ kind, state }) => kind === 'capture' && state === 'sent')
  return recordCapture(file, captured.minor, at, ordered)
}

/** Capturing a part releases the rest. */
export function recordCapture(file: PaymentFile, amount: number, at: number, ordered?: PaymentOperation): PaymentFile {
  const captured = addEntry(updatePayment(file, { captured: amount }), 'captured', amount, at, ordered?.number)
  const rest = file.payment.authorised - amount
  const released = rest > 0 ? addEntry(captured, 'released', -rest, at, ordered?.number) : captured
  return announce(released, 'payment_captured')
}

const sum = (refunds: readonly RefundView[], state: RefundView['state']) =>
  refunds.filter((refund) => refund.state === state).reduce((total, { amount }) => total + amount.minor, 0)

/** Returns true if the list lacks an accepted refund. Failed refunds stay in the list, so it is out of date. */
const isBehind = ({ operations }: PaymentFile, refunds: readonly RefundView[]): boolean =>
  operations.some(
    ({ kind, state, key }) =>
      kind === 'refund' && state === 'done' && refunds.every(({ operation }) => operation !== key),
  )

function absorbRefunds(file: PaymentFile, { refunds }: PaymentView, at: number): PaymentFile {
  if (isBehind(file, refunds)) return file
  const { refunded: before } = file.payment
  const refunded = sum(refunds, 'done')
  const open = file.operations.find(({ kind, state }) => kind === 'refund' && state === 'sent')
  const more = Math.max(0, refunded - before)
  const less = Math.max(0, before - refunded)
  const added = addEntry(addEntry(file, 'refunded', -more, at, open?.number), 'refund_returned', less, at)
  const known = updatePayment(added, { refunded, refundPending: sum(refunds, 'pending') })
  return more > 0 ? announce(known, 'payment_refunded') : known
}

/** Refunds that the provider had accepted and that failed later. */
export function markReturned(file: PaymentFile, { refunds }: PaymentView): PaymentFile {
  const failed = new Set(refunds.filter(({ state }) => state === 'failed').map(({ operation }) => operation))
  return file.operations
    .filter(({ kind, state, key }) => kind === 'refund' && state === 'done' && failed.has(key))
    .reduce((marked, operation) => updateOperation(marked, operation, { state: 'failed' }), file)
}

function absorbDispute(file: PaymentFile, { disputed }: PaymentView, at: number): PaymentFile {
  const amount = disputed?.amount.minor ?? 0
  const { disputed: before } = file.payment
  if (amount === before) return file
  const known = updatePayment(file, { disputed: amount })
  if (amount < before) return addEntry(known, 'reinstated', before - amount, at)
  return announce(addEntry(known, 'disputed', before - amount, at), 'payment_disputed')
}
