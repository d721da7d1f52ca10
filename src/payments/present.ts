import type { Static } from 'typebox'
import { CREATE_PAYMENT, paymentFigures } from '../booking/present/payment.ts'
import type { AppError } from '../domain/errors.ts'
import { toMajor } from '../domain/money/money.ts'
import type { Payment } from '../domain/payment/payment.ts'
import { publicStatus } from '../domain/payment/public-status.ts'
import { moment, momentOrNull } from '../http/present/moment.ts'
import type { ProblemMembers } from '../http/problem.ts'
import { presentRoom } from '../search/present/property-detail.ts'
import type { CreatedPayment } from './create-payment.ts'
import type { NextStep } from './provider.ts'
import { PaymentRefused, PaymentRequired } from './refusals.ts'
import type { CreatedPaymentSchema, PaymentSchema } from './schemas.ts'

export function presentPayment(payment: Payment): Omit<Static<typeof PaymentSchema>, 'next'> {
  const { currency, card, failure } = payment
  return {
    payment_id: payment.paymentId,
    provider: payment.provider,
    status: publicStatus(payment),
    amount: toMajor({ minor: payment.amount, currency }),
    currency,
    authorised: toMajor({ minor: payment.authorised, currency }),
    ...paymentFigures(payment),
    booking_id: payment.bookingId ?? null,
    card: card === undefined ? null : { ...card },
    failure: failure === undefined ? null : { ...failure },
    capture_before: momentOrNull(payment.captureBefore),
    expires_at: moment(payment.expiresAt),
    created_at: moment(payment.createdAt),
    updated_at: moment(payment.updatedAt),
    simulated: false,
  }
}

export const presentShown = (payment: Payment, next: NextStep): Static<typeof PaymentSchema> => ({
  ...presentPayment(payment),
  next: presentNext(next),
})

export const presentCreated = (
  { payment, next, room }: CreatedPayment,
  seesNet: boolean,
): Static<typeof CreatedPaymentSchema> => ({
  ...presentShown(payment, next),
  ...(room !== undefined && { room: presentRoom(room.choice, room, seesNet) }),
  terms_digest: payment.termsDigest,
})

const presentNext = (next: NextStep): Static<typeof PaymentSchema>['next'] =>
  next.kind === 'none'
    ? null
    : { kind: next.kind, publishable_key: next.publishableKey, client_secret: next.clientSecret }

export function paymentProblemMembers(error: AppError): ProblemMembers {
  if (error instanceof PaymentRefused) return error.paymentId === undefined ? {} : { payment_id: error.paymentId }
  if (!(error instanceof PaymentRequired)) return {}
  const { payment, due, provider } = error
  if (payment !== undefined) return { payment: presentPayment(payment) }
  if (due === undefined) return {}
  return { payment: { amount: toMajor(due), currency: due.currency, provider, create: CREATE_PAYMENT } }
}
