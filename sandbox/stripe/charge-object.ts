import type Stripe from 'stripe'
import type { ReadCard } from './cards.ts'
import type { KeptCharge, KeptIntent } from './state.ts'

/** Paths of `expand[]`. */
export type Expand = ReadonlySet<string>

/** Share and fixed part that Stripe keeps of a European card payment. */
const FEE_SHARE = 0.015
const FEE_FIXED = 25

/** The charge of an intent that was authorised. */
export function buildCharge(kept: KeptIntent, expand: Expand): Stripe.Charge {
  const { charge, card } = kept
  if (charge === undefined || card === undefined) throw new Error(`${kept.id} has no charge`)
  const transaction = buildBalanceTransaction(kept)
  const refunded = kept.refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)
  return {
    id: charge.id,
    object: 'charge',
    amount: kept.amount,
    amount_captured: kept.amountReceived,
    amount_refunded: refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: expand.has('latest_charge.balance_transaction')
      ? (transaction ?? null)
      : (transaction?.id ?? null),
    billing_details: {
      address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
      email: null,
      name: null,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'SERAI SANDBOX',
    captured: charge.capturedAt !== undefined,
    created: charge.created,
    currency: kept.currency,
    customer: null,
    description: kept.description,
    disputed: kept.dispute !== undefined,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: null,
    livemode: false,
    metadata: { ...kept.metadata },
    on_behalf_of: null,
    outcome: buildOutcome(kept),
    paid: true,
    payment_intent: kept.id,
    payment_method: `pm_${kept.id.slice(3)}`,
    payment_method_details: { type: 'card', card: buildCardDetails(kept, charge, card) },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: refunded > 0 && refunded >= kept.amountReceived,
    review: kept.review?.id ?? null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: kept.statementSuffix,
    status: 'succeeded',
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge
}

const buildOutcome = ({ review }: KeptIntent): Stripe.Charge.Outcome => ({
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: review?.isOpen === true ? 'elevated_risk_level' : null,
  risk_level: review === undefined ? 'normal' : 'elevated',
  seller_message: 'Payment complete.',
  type: review?.isOpen === true ? 'manual_review' : 'authorized',
})

function buildCardDetails(
  kept: KeptIntent,
  charge: KeptCharge,
  card: ReadCard,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: kept.amount,
    authorization_code: null,
    brand: card.brand,
    capture_before: charge.captureBefore,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: card.country ?? 'US',
    electronic_commerce_indicator: null,
    exp_month: card.month,
    exp_year: card.year,
    extended_authorization: { status: 'disabled' },
    fingerprint: null,
    funding: 'credit',
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.last4,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: kept.amount, status: 'unavailable' },
    regulated_status: 'unregulated',
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  }
}

/** Undefined until the charge is captured. */
export function buildBalanceTransaction(kept: KeptIntent): Stripe.BalanceTransaction | undefined {
  const { charge } = kept
  if (charge?.capturedAt === undefined) return undefined
  const amount = kept.amountReceived
  const fee = Math.min(amount, Math.round(amount * FEE_SHARE) + FEE_FIXED)
  return {
    id: `txn_${kept.id.slice(3)}`,
    object: 'balance_transaction',
    amount,
    available_on: charge.capturedAt,
    balance_type: 'payments',
    created: charge.capturedAt,
    currency: kept.currency,
    description: kept.description,
    exchange_rate: null,
    fee,
    fee_details: [
      { amount: fee, application: null, currency: kept.currency, description: 'Processing fees', type: 'stripe_fee' },
    ],
    net: amount - fee,
    reporting_category: 'charge',
    source: charge.id,
    status: 'available',
    type: 'charge',
  } satisfies Stripe.BalanceTransaction
}
