import type Stripe from 'stripe'
import type { Money } from '../../../domain/money/money.ts'
import type { ListedPayment, PaymentView, RefundView } from '../../provider.ts'
import { ProviderError } from '../../provider-error.ts'
import { fromStripeAmount } from './amounts.ts'

/** Metadata by which we recognise our objects. */
export const PAYMENT_MARK = 'serai_payment'
export const REFUND_MARK = 'serai_refund'

type Status = PaymentView['status']

const STATUS: Readonly<Record<string, Status>> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'open',
  requires_capture: 'authorised',
  succeeded: 'captured',
  canceled: 'gone',
}
/** Reasons that only Stripe gives. */
const BY_STRIPE = new Set(['automatic', 'expired'])

/** Reasons that must not be shown to the guest, who may have found or stolen the card. */
const CONFIDENTIAL = new Set(['fraudulent', 'lost_card', 'stolen_card', 'merchant_blacklist', 'pickup_card'])
const DECLINED = { code: 'card_declined', message: 'Your card was declined.' } as const

/** An answer that breaks Stripe's contract. A look is never a write, so the effect is `none` unless a write caused it. */
export const malformed = (detail: string, effect: 'none' | 'unknown' = 'none') =>
  new ProviderError('malformed', effect, { detail })

/** Statuses are an open list: an unknown one is looked at again, then reviewed. */
export const readStatus = ({ status }: Stripe.PaymentIntent): Status => STATUS[status] ?? 'unknown'

/** An intent that captures by itself would charge guests without a room. */
export function assertManualCapture(intent: Stripe.PaymentIntent, effect: 'none' | 'unknown'): void {
  if (intent.capture_method !== 'manual')
    throw malformed(`${intent.id} has capture_method ${intent.capture_method} instead of manual`, effect)
}

type Parts = { readonly refunds: readonly Stripe.Refund[]; readonly disputes: readonly Stripe.Dispute[] }

export function readPaymentView(intent: Stripe.PaymentIntent, { refunds, disputes }: Parts): PaymentView {
  assertManualCapture(intent, 'none')
  const charge = chargeOf(intent)
  const status = readStatus(intent)
  const card = charge?.payment_method_details?.card
  const captureBefore = card?.capture_before
  const disputed = readDisputes(disputes)
  const failure = status === 'open' ? readFailure(intent.last_payment_error) : undefined
  return {
    status,
    ...(status === 'gone' && { lapsed: hasLapsed(intent) }),
    ...readAmounts(intent),
    ...(captureBefore != null && { captureBefore: captureBefore * 1_000 }),
    isInReview: isReviewOpen(intent.review),
    refunds: refunds.map(readRefund),
    ...(disputed !== undefined && { disputed }),
    ...(card?.brand != null && card.last4 != null && { card: { brand: card.brand, last4: card.last4 } }),
    ...(failure !== undefined && { failure }),
    isLive: intent.livemode,
    paymentId: intent.metadata[PAYMENT_MARK],
  }
}

/** Undefined for an object that is not ours and whose amount we cannot express. */
export function readListed(intent: Stripe.PaymentIntent): ListedPayment | undefined {
  const paymentId = intent.metadata[PAYMENT_MARK]
  if (paymentId === undefined && fromStripeAmount(intent.amount, intent.currency) === undefined) return undefined
  return {
    reference: intent.id,
    paymentId,
    status: readStatus(intent),
    ...readAmounts(intent),
    createdAt: intent.created * 1_000,
  }
}

function readAmounts(intent: Stripe.PaymentIntent): { readonly authorised: Money; readonly captured: Money } {
  const authorised = intent.status === 'succeeded' ? intent.amount : intent.amount_capturable
  return {
    authorised: toMoney(authorised, intent.currency, intent.id),
    captured: toMoney(intent.amount_received, intent.currency, intent.id),
  }
}

function toMoney(amount: number, currency: string, reference: string): Money {
  const money = fromStripeAmount(amount, currency)
  if (money === undefined) throw malformed(`${reference} has the amount ${amount} ${currency}, which cannot be read`)
  return money
}

function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | undefined {
  if (typeof charge === 'string') throw malformed('latest_charge was not expanded')
  return charge ?? undefined
}

/** Stripe also ends an intent after too many attempts; then there was nothing to lapse. */
const hasLapsed = ({ cancellation_reason: reason, latest_charge: charge }: Stripe.PaymentIntent): boolean =>
  reason !== null && BY_STRIPE.has(reason) && charge !== null

const isReviewOpen = (review: Stripe.PaymentIntent['review']): boolean =>
  typeof review === 'string' || review?.open === true

function readRefund(refund: Stripe.Refund): RefundView {
  const operation = refund.metadata?.[REFUND_MARK]
  const state = REFUND_STATE[refund.status ?? ''] ?? 'pending'
  const reason = state === 'failed' ? refund.failure_reason : state === 'pending' ? refund.pending_reason : undefined
  return {
    ...(operation !== undefined && { operation }),
    reference: refund.id,
    amount: toMoney(refund.amount, refund.currency, refund.id),
    state,
    ...(reason !== undefined && { reason }),
  }
}

const REFUND_STATE: Readonly<Record<string, RefundView['state']>> = {
  succeeded: 'done',
  failed: 'failed',
  canceled: 'failed',
}

/** Ended without a loss. Stripe still lists the dispute and shows its amount. */
const ENDED_WELL = new Set<string>(['won', 'prevented', 'warning_closed'])

/** A charge has one dispute at a time; the newest decides the status. */
function readDisputes(disputes: readonly Stripe.Dispute[]): PaymentView['disputed'] {
  const newest = disputes.toSorted((a, b) => b.created - a.created)[0]
  if (newest === undefined || ENDED_WELL.has(newest.status)) return undefined
  return { amount: toMoney(newest.amount, newest.currency, newest.id), status: newest.status }
}

function readFailure(error: Stripe.PaymentIntent['last_payment_error']): PaymentView['failure'] {
  if (error === null) return undefined
  const code = error.decline_code ?? error.code
  if (code === undefined || CONFIDENTIAL.has(code)) return DECLINED
  // Only the texts of card errors are written for guests.
  const isForGuests = error.type === 'card_error' && error.message !== undefined && error.message !== ''
  return { code, message: isForGuests ? (error.message ?? DECLINED.message) : DECLINED.message }
}
