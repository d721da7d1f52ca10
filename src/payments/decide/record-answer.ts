import type { PaymentOperation } from '../../domain/payment/payment.ts'
import type { Settled as ProviderAnswer } from '../provider.ts'
import type { ProviderFault } from '../provider-error.ts'
import { recordCapture } from './absorb-view.ts'
import { addEntry, announce, moveTo, type PaymentFile, updateOperation, updatePayment } from './payment-file.ts'

/** Marks an operation as sent; stored before its bytes leave. */
export const markSent = (file: PaymentFile, open: PaymentOperation, now: number): PaymentFile =>
  updateOperation(file, open, {
    state: 'sent',
    firstSentAt: open.firstSentAt ?? now,
    lastSentAt: now,
    attempts: open.attempts + 1,
  })

/** A failure decides nothing: the next look does. */
export const recordFault = (file: PaymentFile, open: PaymentOperation, fault: ProviderFault): PaymentFile =>
  updateOperation(file, open, { error: fault })

export function recordCreated(file: PaymentFile, open: PaymentOperation, reference: string, now: number): PaymentFile {
  const done = updateOperation(file, open, { state: 'done', error: undefined })
  return moveTo(updatePayment(done, { reference }), 'open', now)
}

/** The provider refused the order, so there is nothing to authorise. */
export const recordNotCreated = (file: PaymentFile, open: PaymentOperation, fault: ProviderFault, now: number) =>
  moveTo(
    updateOperation(file, open, { state: open.attempts === 0 ? 'withdrawn' : 'refused', error: fault }),
    'failed',
    now,
  )

/** `received` only says that the provider has the request. */
export function recordAnswer(
  file: PaymentFile,
  open: PaymentOperation,
  answer: ProviderAnswer,
  now: number,
): PaymentFile {
  if (answer === 'received' || (answer === 'pending' && open.kind !== 'refund')) return file
  const done = updateOperation(file, open, { state: 'done', error: undefined })
  const { payment } = file
  switch (open.kind) {
    case 'capture':
      return moveTo(recordCapture(done, open.amount, now, open), 'captured', now)
    case 'void': {
      const released = addEntry(
        updatePayment(done, { reason: undefined }),
        'released',
        -payment.authorised,
        now,
        open.number,
      )
      return moveTo(released, 'voided', now)
    }
    case 'refund': {
      if (answer === 'pending') return updatePayment(done, { refundPending: payment.refundPending + open.amount })
      const refunded = updatePayment(done, { refunded: payment.refunded + open.amount })
      const noted = announce(addEntry(refunded, 'refunded', -open.amount, now, open.number), 'payment_refunded')
      return payment.refundPending > 0 || payment.isFrozen ? noted : settleRefunding(noted, now)
    }
    case 'create':
      return file
  }
}

function settleRefunding(file: PaymentFile, now: number): PaymentFile {
  const { captured, refunded, owed = captured } = file.payment
  return captured - refunded === owed ? moveTo(file, 'captured', now) : file
}
