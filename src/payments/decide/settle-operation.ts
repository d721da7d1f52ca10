import type { PaymentOperation } from '../../domain/payment/payment.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import type { PaymentView } from '../provider.ts'
import {
  addEntry,
  announce,
  moveTo,
  openOperation,
  type PaymentFile,
  review,
  updateOperation,
  updatePayment,
} from './payment-file.ts'

/** `again`: send it again under its key. `wait`: look again later. `settled`: nothing is open. */
export type Settled = { readonly file: PaymentFile; readonly next: 'settled' | 'again' | 'wait' }

export type SettleLimits = { readonly now: number; readonly keyLifeMs: number }

/** Faults that the provider documents as a refusal of this request. */
const REFUSALS: readonly (string | undefined)[] = ['refused', 'declined']

/** Decides by the provider's view whether the sent operation had its effect. */
export function settleOperation(file: PaymentFile, view: PaymentView, limits: SettleLimits): Settled {
  const open = openOperation(file)
  if (open === undefined || open.state === 'planned') return { file, next: 'settled' }
  if (open.kind === 'capture') return settleCapture(file, open, view, limits)
  if (open.kind === 'void') return settleVoid(file, open, view, limits)
  return open.kind === 'refund' ? settleRefund(file, open, view, limits) : { file, next: 'wait' }
}

const settled = (file: PaymentFile): Settled => ({ file, next: 'settled' })

function settleCapture(file: PaymentFile, open: PaymentOperation, view: PaymentView, limits: SettleLimits): Settled {
  const { now } = limits
  switch (view.status) {
    case 'captured': {
      const done = updateOperation(file, open, { state: 'done', error: undefined })
      return settled(
        file.payment.captured === open.amount ? moveTo(done, 'captured', now) : review(done, 'amount_differs', now),
      )
    }
    case 'gone':
      return settled(endWithoutMoney(updateOperation(file, open, { state: 'failed' }), now))
    case 'authorised':
      return hadNoEffect(file, open, limits, (refused) =>
        refused.payment.owed === 0 ? refused : fail(refused, 'uncollected', now),
      )
    default:
      return { file, next: 'wait' }
  }
}

/** The authorisation ended although nothing was captured. */
function endWithoutMoney(file: PaymentFile, at: number): PaymentFile {
  const { state, owed, authorised } = file.payment
  // `planNext` orders a void, which ends the payment.
  if (owed === 0 && state === 'capturing') return file
  const released = addEntry(file, 'released', -authorised, at)
  if (owed !== 0) return fail(released, 'uncollected', at)
  return moveTo(updatePayment(released, { reason: undefined }), 'voided', at)
}

const fail = (file: PaymentFile, reason: 'uncollected' | 'refund_failed', at: number) =>
  announce(review(file, reason, at), 'payment_failed')

function settleVoid(file: PaymentFile, open: PaymentOperation, view: PaymentView, limits: SettleLimits): Settled {
  const { now } = limits
  switch (view.status) {
    case 'gone': {
      const done = updateOperation(file, open, { state: 'done', error: undefined })
      const { authorised } = file.payment
      const released = addEntry(updatePayment(done, { reason: undefined }), 'released', -authorised, now, open.number)
      return settled(moveTo(released, 'voided', now))
    }
    case 'captured':
      return settled(review(updateOperation(file, open, { state: 'failed' }), 'captured_elsewhere', now))
    case 'authorised':
    case 'open':
      return hadNoEffect(file, open, limits, (refused) => review(refused, 'not_released', now))
    default:
      return { file, next: 'wait' }
  }
}

function settleRefund(file: PaymentFile, open: PaymentOperation, view: PaymentView, limits: SettleLimits): Settled {
  const { now } = limits
  const found = view.refunds.find(({ operation }) => operation === open.key)
  if (found === undefined) return hadNoEffect(file, open, limits, (refused) => fail(refused, 'refund_failed', now))
  if (found.state === 'failed')
    return settled(fail(updateOperation(file, open, { state: 'failed', error: found.reason }), 'refund_failed', now))
  return settled(updateOperation(file, open, { state: 'done', error: undefined }))
}

/** The view, read after the request was sent, shows that nothing has happened yet. */
function hadNoEffect(
  file: PaymentFile,
  open: PaymentOperation,
  { now, keyLifeMs }: SettleLimits,
  afterRefusal: (file: PaymentFile) => PaymentFile,
): Settled {
  if (REFUSALS.includes(open.error)) return settled(afterRefusal(updateOperation(file, open, { state: 'refused' })))
  // The provider forgets old keys: the same key would then be a second request.
  const lifeMs = isNotNeeded(file, open) ? Math.min(keyLifeMs, RELEASE_KEY_MS) : keyLifeMs
  if (now >= (open.firstSentAt ?? now) + lifeMs) return settled(updateOperation(file, open, { state: 'failed' }))
  return { file, next: now >= nextAttemptAt(open) ? 'again' : 'wait' }
}

/**
 * Under a saved key a provider may repeat a failure for a day, and the guest's money stays reserved. Another release can do
 * no harm: an authorisation ends once, either released or captured.
 */
const RELEASE_KEY_MS = 5 * MINUTE_MS

/** True if the authorisation should end: a release, or a capture for which nothing is owed any more. */
const isNotNeeded = ({ payment }: PaymentFile, { kind }: PaymentOperation): boolean =>
  kind === 'void' || (kind === 'capture' && payment.owed === 0)

const ATTEMPT_WAITS_MS = [0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60].map((seconds) => seconds * 1_000)
const LATER_WAIT_MS = 600_000
const REFUND_AFTER_DAY_WAIT_MS = 3_600_000

/** Back-off from a second to ten minutes; refunds are retried hourly after a day. */
export function nextAttemptAt({ kind, attempts, firstSentAt = 0, lastSentAt = 0 }: PaymentOperation): number {
  const isOldRefund = kind === 'refund' && lastSentAt >= firstSentAt + DAY_MS
  const waitMs = isOldRefund ? REFUND_AFTER_DAY_WAIT_MS : (ATTEMPT_WAITS_MS[attempts] ?? LATER_WAIT_MS)
  return lastSentAt + waitMs
}
