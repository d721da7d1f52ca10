import { DAY_MS, HOUR_MS } from '../../lib/time/durations.ts'
import { WARN_BEFORE_END_MS } from './decide.ts'
import { openOperation, type PaymentFile } from './payment-file.ts'
import { planNext } from './plan-next.ts'
import { nextAttemptAt } from './settle-operation.ts'

const OPEN_EVERY_MS = 30_000
/** A refund that was done may still come back. */
const REFUND_CHECKS_MS = [DAY_MS, 7 * DAY_MS, 31 * DAY_MS]

/** When the job looks at the payment again; undefined if it is at rest. */
export function dueAt(file: PaymentFile, now: number): number | undefined {
  const { payment } = file
  const open = openOperation(file)
  if (open?.state === 'planned') return now
  if (open?.state === 'sent') return Math.max(now, nextAttemptAt(open))
  if (planNext(file, now) !== file) return now
  switch (payment.state) {
    case 'open':
      return Math.min(now + OPEN_EVERY_MS, Math.max(now, payment.expiresAt))
    case 'authorised':
      return Math.max(now, payment.expiresAt)
    case 'held':
    // At rest only while the booking is in review.
    case 'capturing':
      return heldDueAt(file, now)
    case 'captured':
      return earliest(refundCheckAt(file, now), feeCheckAt(file, now))
    case 'needs_review':
      return refundCheckAt(file, now)
    case 'refunding':
      return payment.refundPending > 0 ? now + HOUR_MS : undefined
    default:
      return undefined
  }
}

/** The provider knows its fee some time after the capture. */
const FEE_CHECKS_MS = [HOUR_MS, DAY_MS, 7 * DAY_MS]

function feeCheckAt({ payment: { fee, stateSince } }: PaymentFile, now: number): number | undefined {
  return fee === undefined ? FEE_CHECKS_MS.map((ms) => stateSince + ms).find((time) => time > now) : undefined
}

/** True if the provider's fee is asked for with this look. */
export const isFeeDue = ({ payment: { state, fee, stateSince } }: PaymentFile, now: number): boolean =>
  state === 'captured' && fee === undefined && now >= stateSince + HOUR_MS

const earliest = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

function heldDueAt({ payment: { captureBefore } }: PaymentFile, now: number): number | undefined {
  if (captureBefore === undefined) return now + HOUR_MS
  const times = [captureBefore - WARN_BEFORE_END_MS, captureBefore]
  return times.find((time) => time > now) ?? now + HOUR_MS
}

function refundCheckAt({ operations }: PaymentFile, now: number): number | undefined {
  const sentAt = operations.findLast(({ kind, state }) => kind === 'refund' && state === 'done')?.lastSentAt
  return sentAt === undefined ? undefined : REFUND_CHECKS_MS.map((ms) => sentAt + ms).find((time) => time > now)
}
