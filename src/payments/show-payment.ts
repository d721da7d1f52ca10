import type { OwnsOffer } from '../accounts/offer-owner.ts'
import { AppError } from '../domain/errors.ts'
import type { Payment } from '../domain/payment/payment.ts'
import { release } from './decide/decide.ts'
import { dueAt } from './decide/due-at.ts'
import type { PaymentFile } from './decide/payment-file.ts'
import { callProvider, type DriveDeps, lookAtPayment } from './drive-payment.ts'
import type { NextStep } from './provider.ts'
import { ProviderError } from './provider-error.ts'
import { PaymentRefused, paymentNotFound } from './refusals.ts'
import type { PaymentStore } from './store/payments.ts'

type Deps = Omit<DriveDeps, 'isClaimed' | 'payments'> & {
  readonly payments: Pick<PaymentStore, 'read' | 'save' | 'unclaimed'>
  readonly ownsOffer: OwnsOffer
}

export type ShownPayment = { readonly payment: Payment; readonly next: NextStep }

/** The provider is asked at most this often about an open payment. */
const LOOK_EVERY_MS = 1_000
const TRIES_MAX = 3

export type ShowPayments = ReturnType<typeof createShowPayments>

/** Shows and releases a caller's own payments. */
export function createShowPayments(deps: Deps) {
  return {
    async show(accountId: string, paymentId: string): Promise<ShownPayment> {
      const payment = await lookIfOpen(deps, await readOwn(deps, accountId, paymentId))
      return { payment, next: await readNextStep(deps, payment) }
    },

    /** Gives an authorisation back that no booking has claimed. Repeating it changes nothing. */
    async release(accountId: string, paymentId: string): Promise<Payment> {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const file = await readOwn(deps, accountId, paymentId)
        const released = releaseFile(file, deps.clock.now())
        if (released === file) return file.payment
        const now = deps.clock.now()
        const saved = await deps.payments.save(file, released, { at: now, dueAt: dueAt(released, now) })
        if (saved !== undefined) return saved.payment
      }
      throw new AppError('request_in_progress', 'The payment is just being changed. Repeat the request.', {
        retryAfterMs: 1_000,
      })
    },
  }
}

function releaseFile(file: PaymentFile, now: number): PaymentFile {
  const { state, bookingId, paymentId } = file.payment
  if (bookingId !== undefined)
    throw new PaymentRefused(
      'payment_invalid',
      'A booking has claimed this payment. Cancel the booking instead.',
      paymentId,
    )
  return state === 'open' || state === 'authorised' ? release(file, now) : file
}

async function readOwn({ payments, ownsOffer }: Deps, accountId: string, paymentId: string): Promise<PaymentFile> {
  const file = await payments.read(paymentId)
  if (file === undefined || !(await ownsOffer(accountId, file.payment.accountId))) throw paymentNotFound()
  return file
}

async function lookIfOpen(deps: Deps, file: PaymentFile): Promise<Payment> {
  const { state, lookedAt, paymentId } = file.payment
  if (state !== 'open' || deps.clock.now() < lookedAt + LOOK_EVERY_MS) return file.payment
  try {
    const looked = await lookAtPayment({ ...deps, isClaimed: false }, file)
    const payment = looked?.file.payment ?? (await deps.payments.read(paymentId))?.payment ?? file.payment
    return payment
  } catch (error) {
    if (error instanceof ProviderError) return file.payment
    throw error
  }
}

/** Read anew for every request, because it contains a secret of the guest. */
export async function readNextStep({ provider }: Pick<DriveDeps, 'provider'>, payment: Payment): Promise<NextStep> {
  const { state, reference } = payment
  if (state !== 'open' || reference === undefined) return { kind: 'none' }
  try {
    return await callProvider((context) => provider.nextStep(reference, context), { payment })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    throw new AppError(
      'payments_unavailable',
      'The payment provider could not be asked about this payment. Nothing is charged. Repeat the request.',
      { cause: error },
    )
  }
}
