import type Stripe from 'stripe'
import { textOf } from './form-body.ts'
import { findIntent } from './intents.ts'
import { buildDispute, buildIntent, buildRefund } from './objects.ts'
import { readAmount, readMetadata, readPageParameters, refuseUnknown, takePage } from './parameters.ts'
import { type ApiCall, type Parts, recordMoney, seconds } from './parts.ts'
import { invalid, missing, wrongState } from './refusal.ts'
import type { KeptIntent, KeptRefund } from './state.ts'

export function createRefund(parts: Parts, { form, key }: ApiCall): Stripe.Refund {
  refuseUnknown(form, ['payment_intent', 'amount', 'reason', 'metadata', 'expand'])
  const id = textOf(form, 'payment_intent')
  if (id === undefined) throw invalid('Missing required param: payment_intent.', 'parameter_missing', 'payment_intent')
  const kept = findIntent(parts, id)
  const left = kept.amountReceived - sumRefunds(kept)
  const amount = readAmount(form, 'amount') ?? left
  refuseRefund(parts, kept, amount, left)
  const metadata = readMetadata(form)
  const outcome = kept.card?.refund
  const { refundPendingMs, refundFailMs } = parts.settings
  const waitMs = outcome === 'pending' ? refundPendingMs : outcome === 'fails_later' ? refundFailMs : undefined
  const refund: KeptRefund = {
    id: parts.createId('re'),
    amount,
    created: seconds(parts.clock),
    metadata,
    reason: textOf(form, 'reason') ?? null,
    status: outcome === 'pending' ? 'pending' : 'succeeded',
    ...(waitMs !== undefined && { changesAt: parts.clock.now() + waitMs }),
  }
  const refunded: KeptIntent = { ...kept, refunds: [refund, ...kept.refunds] }
  parts.state.save(refunded)
  recordMoney(parts, kept, 'refunded', amount, metadata.serai_refund)
  const built = buildRefund(refunded, refund)
  parts.events.add('refund.created', built, key)
  return built
}

const sumRefunds = ({ refunds }: KeptIntent): number =>
  refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0)

function refuseRefund(parts: Parts, kept: KeptIntent, amount: number, left: number): void {
  const shown = buildIntent(kept, parts.origin())
  if (kept.status !== 'succeeded')
    throw wrongState('payment_intent_unexpected_state', 'This PaymentIntent has no successful charge.', shown)
  if (kept.dispute !== undefined && !kept.dispute.status.startsWith('warning_') && kept.dispute.status !== 'won')
    throw wrongState('charge_disputed', 'The charge has been disputed; it cannot be refunded.', shown)
  if (left === 0) throw wrongState('charge_already_refunded', 'The charge has already been refunded.', shown)
  if (amount < 1 || amount > left)
    throw invalid(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      undefined,
      'amount',
    )
}

export function retrieveRefund({ state }: Parts, { id }: ApiCall): Stripe.Refund {
  for (const kept of state.all()) {
    const refund = kept.refunds.find((each) => each.id === id)
    if (refund !== undefined) return buildRefund(kept, refund)
  }
  throw missing('refund', id)
}

export function listRefundsOf(parts: Parts, { form }: ApiCall) {
  refuseUnknown(form, ['payment_intent', 'charge', 'limit', 'starting_after', 'expand'])
  const wanted = textOf(form, 'payment_intent')
  const found = parts.state
    .all()
    .filter(({ id }) => wanted === undefined || id === wanted)
    .flatMap((kept) => kept.refunds.map((refund) => buildRefund(kept, refund)))
  return takePage('/v1/refunds', found, readPageParameters(form))
}

export function listDisputesOf(parts: Parts, { form }: ApiCall) {
  refuseUnknown(form, ['payment_intent', 'charge', 'limit', 'starting_after', 'expand'])
  const wanted = textOf(form, 'payment_intent')
  const found = parts.state
    .all()
    .filter(({ id }) => wanted === undefined || id === wanted)
    .flatMap((kept) => (kept.dispute === undefined ? [] : [buildDispute(kept, kept.dispute)]))
  return takePage('/v1/disputes', found, readPageParameters(form))
}

export function retrieveDispute({ state }: Parts, { id }: ApiCall) {
  const kept = state.all().find(({ dispute }) => dispute?.id === id)
  if (kept?.dispute === undefined) throw missing('dispute', id)
  return buildDispute(kept, kept.dispute)
}
