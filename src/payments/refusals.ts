import { AppError, type ErrorCode } from '../domain/errors.ts'
import { type Money, toDecimal } from '../domain/money/money.ts'
import type { Payment } from '../domain/payment/payment.ts'

const moneyText = (money: Money): string => `${toDecimal(money)} ${money.currency}`

/** The order needs an authorised payment. */
export class PaymentRequired extends AppError {
  readonly provider: string
  readonly due: Money | undefined
  readonly payment: Payment | undefined

  constructor(provider: string, missing: { readonly due: Money } | { readonly payment: Payment }) {
    super(
      'payment_required',
      'due' in missing
        ? `Create a payment for ${moneyText(missing.due)}, let the guest confirm it, and book again with its payment_id. Nothing was booked.`
        : 'The payment is not authorised yet: the guest has to confirm it. Nothing was booked, nothing was charged.',
    )
    this.provider = provider
    this.due = 'due' in missing ? missing.due : undefined
    this.payment = 'payment' in missing ? missing.payment : undefined
  }
}

/** The payment cannot pay for the order. */
export class PaymentRefused extends AppError {
  readonly paymentId: string | undefined

  constructor(code: ErrorCode, message: string, paymentId?: string) {
    super(code, message)
    this.paymentId = paymentId
  }
}

export const paymentNotFound = () =>
  new AppError('payment_not_found', 'Payment not found. Use the payment_id of one of your payments.')

export const notOfThisOrder = (paymentId: string) =>
  new PaymentRefused(
    'payment_invalid',
    'This payment was made for other terms, for another account or for another booking. Create a payment for this offer. Nothing was booked.',
    paymentId,
  )

export const paymentExpired = (paymentId: string) =>
  new PaymentRefused(
    'payment_expired',
    'The authorisation was released, or is about to end. Create a new payment. Nothing was booked, nothing was charged.',
    paymentId,
  )

export const paymentInReview = (paymentId: string) =>
  new PaymentRefused(
    'payment_in_review',
    'The payment provider is reviewing this payment. Wait, or release it and create one for another card. Nothing was booked, nothing was charged.',
    paymentId,
  )

export const notChargeable = (due: Money) =>
  new PaymentRefused(
    'payment_invalid',
    `${moneyText(due)} cannot be charged by card exactly. Choose an offer in another currency. Nothing was booked.`,
  )
