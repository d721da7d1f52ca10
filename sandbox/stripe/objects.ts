import type Stripe from 'stripe'
import { buildCharge, type Expand } from './charge-object.ts'
import type { KeptDispute, KeptIntent, KeptRefund } from './state.ts'

export const API_VERSION = '2026-10-28.endive'

const NOTHING_EXPANDED: Expand = new Set()

/** The intent as Stripe shows it to the secret key. */
export function buildIntent(kept: KeptIntent, origin: string, expand: Expand = NOTHING_EXPANDED): Stripe.PaymentIntent {
  const { charge, review } = kept
  const isCharged = charge !== undefined
  return {
    id: kept.id,
    object: 'payment_intent',
    amount: kept.amount,
    amount_capturable: kept.status === 'requires_capture' ? kept.amount : 0,
    amount_details: { tip: {} },
    amount_received: kept.amountReceived,
    allowed_payment_method_types: ['card'],
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: kept.canceledAt ?? null,
    cancellation_reason: kept.cancellationReason ?? null,
    capture_method: kept.captureMethod,
    client_secret: kept.secret,
    confirmation_method: 'automatic',
    created: kept.created,
    currency: kept.currency,
    customer: null,
    customer_account: null,
    description: kept.description,
    excluded_payment_method_types: null,
    last_payment_error: buildPaymentError(kept),
    latest_charge: isCharged ? (expandsCharge(expand) ? buildCharge(kept, expand) : charge.id) : null,
    livemode: false,
    managed_payments: null,
    metadata: { ...kept.metadata },
    next_action: buildNextAction(kept, origin),
    on_behalf_of: null,
    payment_method: isCharged ? `pm_${kept.id.slice(3)}` : null,
    payment_method_configuration_details: null,
    payment_method_options: CARD_OPTIONS,
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: review === undefined ? null : expand.has('review') ? buildReview(kept, review) : review.id,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: kept.statementSuffix,
    status: kept.status,
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.PaymentIntent
}

const expandsCharge = (expand: Expand) => expand.has('latest_charge') || expand.has('latest_charge.balance_transaction')

const CARD_OPTIONS: Stripe.PaymentIntent.PaymentMethodOptions = {
  card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
}

function buildPaymentError({ lastError }: KeptIntent): Stripe.PaymentIntent.LastPaymentError | null {
  if (lastError === undefined) return null
  const { code, declineCode, message } = lastError
  const type = code === 'payment_intent_authentication_failure' ? 'invalid_request_error' : 'card_error'
  return {
    type,
    code: code as Stripe.PaymentIntent.LastPaymentError.Code,
    message,
    ...(declineCode !== undefined && { decline_code: declineCode }),
  } satisfies Stripe.PaymentIntent.LastPaymentError
}

function buildNextAction({ action, id, secret }: KeptIntent, origin: string): Stripe.PaymentIntent.NextAction | null {
  if (action === undefined) return null
  const url = `${origin}/3ds/${id}?client_secret=${secret}`
  return {
    type: 'redirect_to_url',
    redirect_to_url: { url, return_url: action.returnUrl ?? null },
  } satisfies Stripe.PaymentIntent.NextAction
}

export function buildReview(kept: KeptIntent, { id, isOpen }: NonNullable<KeptIntent['review']>): Stripe.Review {
  return {
    id,
    object: 'review',
    billing_zip: null,
    charge: kept.charge?.id ?? null,
    closed_reason: isOpen ? null : 'approved',
    created: kept.created,
    ip_address: null,
    ip_address_location: null,
    livemode: false,
    open: isOpen,
    opened_reason: 'rule',
    payment_intent: kept.id,
    reason: isOpen ? 'rule' : 'approved',
    session: null,
  } satisfies Stripe.Review
}

export function buildRefund(kept: KeptIntent, refund: KeptRefund): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: `txn_${refund.id.slice(3)}`,
    charge: kept.charge?.id ?? null,
    created: refund.created,
    currency: kept.currency,
    customer: null,
    customer_account: null,
    metadata: { ...refund.metadata },
    payment_intent: kept.id,
    payment_method: `pm_${kept.id.slice(3)}`,
    reason: refund.reason as Stripe.Refund['reason'],
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
    ...(refund.failureReason !== undefined && { failure_reason: refund.failureReason }),
    ...(refund.status === 'pending' && { pending_reason: 'insufficient_funds' as const }),
  } satisfies Stripe.Refund
}

/** Only the fields that we read; an evidence form has forty more. */
export const buildDispute = (kept: KeptIntent, { id, amount, created, reason, status }: KeptDispute) =>
  ({
    id,
    object: 'dispute',
    amount,
    charge: kept.charge?.id ?? '',
    created,
    currency: kept.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: kept.id,
    reason,
    status,
  }) satisfies Partial<Stripe.Dispute>
