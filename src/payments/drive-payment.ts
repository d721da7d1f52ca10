import type { PaymentOperation } from '../domain/payment/payment.ts'
import type { CallContext } from '../lib/async/call-context.ts'
import type { Clock } from '../lib/time/clock.ts'
import { startDeadline } from '../lib/time/deadline.ts'
import { decide, release } from './decide/decide.ts'
import { dueAt, isFeeDue } from './decide/due-at.ts'
import { openOperation, type PaymentFile, updatePayment } from './decide/payment-file.ts'
import { markSent, recordAnswer, recordCreated, recordFault, recordNotCreated } from './decide/record-answer.ts'
import type { PaymentProvider, PaymentView, Settled } from './provider.ts'
import { ProviderError } from './provider-error.ts'
import type { PaymentStore } from './store/payments.ts'

export type DriveDeps = {
  /** True in the job, which holds the task of the payment and reschedules it. */
  readonly isClaimed: boolean
  readonly payments: Pick<PaymentStore, 'read' | 'save' | 'unclaimed'>
  readonly provider: PaymentProvider
  readonly clock: Clock
}

/** A whole call to the provider. */
export const CALL_TIMEOUT_MS = 20_000
/** Bounds one claim, whose lease must not end during a call; the rest is due at once. */
const STEPS_MAX = 8
const STEPS_WITHIN_MS = 15_000

/** Takes steps until nothing is due. Returns when the payment is due again; undefined: at rest. */
export async function drivePayment(deps: DriveDeps, paymentId: string): Promise<number | undefined> {
  const startedAt = deps.clock.now()
  for (let steps = 0; steps < STEPS_MAX && deps.clock.now() < startedAt + STEPS_WITHIN_MS; steps += 1) {
    const file = await deps.payments.read(paymentId)
    if (file === undefined) return undefined
    const after = await takeStep(deps, file)
    const now = deps.clock.now()
    // Another process was faster: its result is read by the next step.
    if (after === undefined) continue
    const due = dueAt(after, now)
    if (due === undefined || due > now) return due
  }
  return deps.clock.now() + 1_000
}

/** Sends what is planned, or looks and decides. Undefined if another process has changed the payment meanwhile. */
async function takeStep(deps: DriveDeps, file: PaymentFile): Promise<PaymentFile | undefined> {
  const open = openOperation(file)
  if (open?.kind === 'create') return sendCreate(deps, file, open)
  if (open?.state === 'planned') return send(deps, file, open)
  const looked = await lookAtPayment(deps, file)
  if (looked === undefined) return undefined
  if (!looked.isSentAgain) return isFeeDue(looked.file, deps.clock.now()) ? readFee(deps, looked.file) : looked.file
  const again = openOperation(looked.file)
  return again && send(deps, looked.file, again)
}

/** Statements show the fee; nothing depends on it. */
async function readFee(deps: DriveDeps, file: PaymentFile): Promise<PaymentFile | undefined> {
  const { reference = '' } = file.payment
  const fee = await callProvider((context) => deps.provider.fee(reference, context), file)
  return fee === undefined ? file : saveStep(deps, file, updatePayment(file, { fee }))
}

/** Asks the provider and saves what follows. Undefined if another process has changed the payment meanwhile. */
export async function lookAtPayment(deps: DriveDeps, file: PaymentFile) {
  const { reference } = file.payment
  if (reference === undefined) return { file, isSentAgain: false }
  const view = await callProvider<PaymentView>((context) => deps.provider.look(reference, context), file)
  const now = deps.clock.now()
  const limits = { now, keyLifeMs: deps.provider.capabilities.keyLifeMs }
  const { file: decided, isSentAgain } = decide(file, withHold(deps, file, view, now), limits)
  const saved = await saveStep(deps, file, decided)
  if (saved?.payment.state === 'authorised' && file.payment.state === 'open') await releaseEarlier(deps, saved)
  return saved && { file: saved, isSentAgain }
}

/** A new authorisation for the same room replaces the one for its earlier price. */
async function releaseEarlier({ payments, clock }: DriveDeps, { payment }: PaymentFile): Promise<void> {
  for (const paymentId of await payments.unclaimed(payment)) {
    const earlier = await payments.read(paymentId)
    const { state, createdAt = 0 } = earlier?.payment ?? {}
    if (earlier === undefined || (state !== 'open' && state !== 'authorised') || createdAt >= payment.createdAt)
      continue
    const now = clock.now()
    await payments.save(earlier, release(earlier, now), { at: now, dueAt: now })
  }
}

/** A provider that does not tell when the authorisation ends. */
function withHold({ provider }: DriveDeps, { payment }: PaymentFile, view: PaymentView, now: number): PaymentView {
  if (view.status !== 'authorised' || view.captureBefore !== undefined) return view
  return { ...view, captureBefore: payment.captureBefore ?? now + provider.capabilities.assumedHoldMs }
}

/** The mark is on disk before the bytes leave. */
async function send(deps: DriveDeps, file: PaymentFile, open: PaymentOperation): Promise<PaymentFile | undefined> {
  const sent = await saveStep(deps, file, markSent(file, open, deps.clock.now()))
  const marked = sent && openOperation(sent)
  if (sent === undefined || marked === undefined) return undefined
  try {
    const answer = await callProvider((context) => request(deps.provider, sent, marked, context), sent)
    return await saveStep(deps, sent, recordAnswer(sent, marked, answer, deps.clock.now()))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return saveStep(deps, sent, recordFault(sent, marked, error.fault))
  }
}

function request(
  provider: PaymentProvider,
  { payment: { reference = '', currency } }: PaymentFile,
  { kind, amount: minor, key }: PaymentOperation,
  context: CallContext,
): Promise<Settled> {
  const amount = { minor, currency }
  if (kind === 'capture') return provider.capture(reference, amount, key, context)
  if (kind === 'void') return provider.void(reference, key, context)
  return provider.refund({ reference, amount, operation: key }, key, context)
}

/** Creating is the only request that is repeated without a look: its key finds the same object. */
async function sendCreate(
  deps: DriveDeps,
  file: PaymentFile,
  open: PaymentOperation,
): Promise<PaymentFile | undefined> {
  const { paymentId, amount: minor, currency, description, expiresAt } = file.payment
  const now = deps.clock.now()
  const isTooLate =
    open.state === 'planned'
      ? now >= expiresAt
      : now >= (open.firstSentAt ?? now) + deps.provider.capabilities.keyLifeMs
  if (isTooLate) return saveStep(deps, file, recordNotCreated(file, open, 'timeout', now))
  const sent = await saveStep(deps, file, markSent(file, open, now))
  const marked = sent && openOperation(sent)
  if (sent === undefined || marked === undefined) return undefined
  const order = { paymentId, amount: { minor, currency }, description }
  try {
    const { reference } = await callProvider((context) => deps.provider.create(order, open.key, context), sent)
    return await saveStep(deps, sent, recordCreated(sent, marked, reference, deps.clock.now()))
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const isProven = error.effect === 'none' && (marked.attempts === 1 || error.fault === 'refused')
    const failed = isProven
      ? recordNotCreated(sent, marked, error.fault, deps.clock.now())
      : recordFault(sent, marked, error.fault)
    return saveStep(deps, sent, failed)
  }
}

function saveStep({ payments, clock, isClaimed }: DriveDeps, before: PaymentFile, after: PaymentFile) {
  const now = clock.now()
  return payments.save(before, after, { at: now, dueAt: isClaimed ? undefined : dueAt(after, now) })
}

export async function callProvider<T>(
  call: (context: CallContext) => Promise<T>,
  { payment: { paymentId, accountId, bookingId } }: Pick<PaymentFile, 'payment'>,
): Promise<T> {
  using deadline = startDeadline(CALL_TIMEOUT_MS)
  const context = { requestId: `payment-${paymentId}`, accountId, ...(bookingId !== undefined && { bookingId }) }
  // Awaited here, because the deadline ends with this function.
  return await call({ ...context, signal: deadline.signal })
}
